/** The stores of a key that may only read: it gets what `methodEffects` lists as harmless, and everything else is refused. */

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

/** A method that the store has and the list has not is refused too: a plugin in JavaScript is held to no type. */
export function readOnly<Store extends object>(store: Store, effects: Effects<Store>): Store {
	const decided: Readonly<Record<string, string | undefined>> = effects;
	// A store may be an instance of a class, whose methods are no keys of its own.
	const names = [...Object.keys(store), ...Object.keys(effects).filter((name) => name in store)];
	const methods = names.map((name) => [name, decided[name] === "reads" || decided[name] === "bookkeeping" ? bound(store, name) : refuse]);
	return Object.fromEntries(methods) as Store;
}

function bound(store: object, name: string): unknown {
	const method: unknown = Reflect.get(store, name);
	return typeof method === "function" ? method.bind(store) : method;
}

async function refuse(): Promise<never> {
	throw fail("ROLE_MISSING", "write");
}
