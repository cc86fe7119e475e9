/** Creates, lists, disables and revokes API keys. Only an admin may do so, and nobody with a key above their own. The last admin key can be neither disabled nor revoked. */

import { fail } from "../errors/fail.ts";
import { isAdminRole } from "../model/caller.ts";
import { asId, isId, type KeyId, newId, type OrganisationId } from "../model/id.ts";
import type { ApiKey } from "../ports/account-store.ts";
import { type AuditEventType, auditEventTypes, type LogEvent } from "../ports/event-log.ts";
import type { Storage } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";
import { createSharedMutex } from "../runtime/keyed-mutex.ts";
import { authorize, demandRole } from "./authorize.ts";

export type NewKey = Pick<ApiKey, "name" | "role" | "grants" | "endpoints" | "rateLimit" | "expiresAt">;

/** The secret is returned only here; only its hash is stored. */
export interface MintedKey {
	readonly key: ApiKey;
	readonly secret: string;
}

export interface KeyService {
	/** All keys, oldest first, including disabled and expired ones. */
	readonly list: (caller: ApiKey) => Promise<readonly ApiKey[]>;
	readonly create: (caller: ApiKey, newKey: NewKey) => Promise<MintedKey>;
	/** Enables or disables a key; null toggles it. Throws `KEY_MISSING`, `KEY_LAST_ADMIN`. */
	readonly setEnabled: (caller: ApiKey, id: string, isEnabled: boolean | null) => Promise<ApiKey>;
	/** With `isScoped`, a key without grants counts as missing. Throws `KEY_MISSING`, `KEY_LAST_ADMIN`. */
	readonly revoke: (caller: ApiKey, id: string, isScoped: boolean) => Promise<void>;
	/** Audit events after this sequence number, oldest first. */
	readonly audit: (caller: ApiKey, after: number, limit: number) => Promise<readonly LogEvent[]>;
}

export interface KeyServiceParts {
	readonly storage: Storage;
	readonly world: World;
	/** Makes a random key and its hash; only the hash is stored. */
	readonly mint: (organisation: OrganisationId) => { readonly secret: string; readonly hash: string };
}

export function createKeyService({ storage, world, mint }: KeyServiceParts): KeyService {
	const { accounts } = storage;
	/** Two admins who revoke each other's keys at the same time must not both succeed. */
	const oneAtATime = createSharedMutex({ storage, world });

	async function find(caller: ApiKey, id: string): Promise<ApiKey> {
		const key = isId(id) ? (await accounts.keys(caller.organisation)).find((each) => each.id === asId<KeyId>(id)) : undefined;
		if (key === undefined) throw fail("KEY_MISSING");
		return key;
	}

	/** @throws ServiceError `KEY_LAST_ADMIN` */
	async function demandAnotherAdmin(key: ApiKey): Promise<void> {
		const now = world.now();
		const isAdmin = ({ role, grants, endpoints, isEnabled, expiresAt }: ApiKey) =>
			isAdminRole(role) && grants === null && endpoints === null && isEnabled && (expiresAt === null || expiresAt > now);
		if (!isAdmin(key)) return;
		if (!(await accounts.keys(key.organisation)).some((each) => each.id !== key.id && isAdmin(each))) throw fail("KEY_LAST_ADMIN");
	}

	async function recordEvent(caller: ApiKey, type: AuditEventType, subject: KeyId, facts: LogEvent["facts"]): Promise<void> {
		await authorize(storage, caller).events.append({ type, at: world.now(), subject, containerTags: [], facts: { by: caller.id, ...facts } });
	}

	return {
		list: async (caller) => {
			return accounts.keys(caller.organisation);
		},
		create: async (caller, newKey) => {
			demandRole(caller, newKey.role);
			const { organisation } = caller;
			const { secret, hash } = mint(organisation);
			const key: ApiKey = { ...newKey, id: newId<KeyId>(world.randomBytes), organisation, hash, isEnabled: true, createdAt: world.now() };
			await accounts.addKey(key);
			const containerTags = key.grants?.map(({ containerTag }) => containerTag) ?? null;
			await recordEvent(caller, "key.created", key.id, { name: key.name, role: key.role, containerTags });
			return { key, secret };
		},
		setEnabled: (caller, id, enable) =>
			oneAtATime(
				`keys ${caller.organisation}`,
				async () => {
					const key = await find(caller, id);
					demandRole(caller, key.role);
					const isEnabled = enable ?? !key.isEnabled;
					if (!isEnabled) await demandAnotherAdmin(key);
					const changed = await accounts.changeKey(caller.organisation, key.id, { isEnabled });
					if (changed === null) throw fail("KEY_MISSING");
					await recordEvent(caller, "key.changed", key.id, { isEnabled });
					return changed;
				},
				caller.organisation,
			),
		revoke: (caller, id, isScoped) =>
			oneAtATime(
				`keys ${caller.organisation}`,
				async () => {
					const key = await find(caller, id);
					if (isScoped && key.grants === null) throw fail("KEY_MISSING");
					demandRole(caller, key.role);
					await demandAnotherAdmin(key);
					if (!(await accounts.removeKey(caller.organisation, key.id))) throw fail("KEY_MISSING");
					await recordEvent(caller, "key.revoked", key.id, { name: key.name });
				},
				caller.organisation,
			),
		audit: async (caller, after, limit) => {
			return authorize(storage, caller).events.after(after, auditEventTypes, limit);
		},
	};
}
