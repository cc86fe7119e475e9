/** The stores of a read-only key: it may call the methods that `methodEffects` lists as reads or bookkeeping; all others throw `ROLE_MISSING`. */

import { fail } from "../errors/fail.ts";
import type { TenantStore } from "../ports/storage.ts";
import { type Effects, methodEffects } from "./method-effects.ts";

export function readOnlyTenant(tenant: TenantStore): TenantStore {
	return {
		documents: readOnly(tenant.documents, methodEffects.documents),
		memories: readOnly(tenant.memories, methodEffects.memories),
		words: readOnly(tenant.words, methodEffects.words),
		vectors: (space) => readOnly(tenant.vectors(space), methodEffects.vectors),
		blobs: readOnly(tenant.blobs, methodEffects.blobs),
		containers: readOnly(tenant.containers, methodEffects.containers),
		profiles: readOnly(tenant.profiles, methodEffects.profiles),
		records: readOnly(tenant.records, methodEffects.records),
		removals: readOnly(tenant.removals, methodEffects.removals),
		events: readOnly(tenant.events, methodEffects.events),
	};
}

/** A method of the store that is not listed is refused too, because the compiler does not check a plugin written in JavaScript. */
export function readOnly<Store extends object>(store: Store, effects: Effects<Store>): Store {
	const effectOf: Readonly<Record<string, string | undefined>> = effects;
	// The methods of a class instance are not among its own keys.
	const names = [...Object.keys(store), ...Object.keys(effects).filter((name) => name in store)];
	const methods = names.map((name) => [name, effectOf[name] === "reads" || effectOf[name] === "bookkeeping" ? boundMember(store, name) : refuse]);
	return Object.fromEntries(methods) as Store;
}

function boundMember(store: object, name: string): unknown {
	const method: unknown = Reflect.get(store, name);
	return typeof method === "function" ? method.bind(store) : method;
}

async function refuse(): Promise<never> {
	throw fail("ROLE_MISSING", "write");
}
