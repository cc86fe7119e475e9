/** Creates API keys. A key is shown once, and only its hash is stored. */

import { createHash, randomBytes } from "node:crypto";
import { type KeyId, newId, type OrganisationId } from "../../core/model/id.ts";
import type { AccountStore, ApiKey } from "../../core/ports/account-store.ts";
import type { World } from "../../core/ports/world.ts";

/** `sm_<organisation>_<secret>`, the format that clients expect. Its 256 random bits cannot be guessed, so a fast hash is enough. */
export function makeKey(organisation: OrganisationId): string {
	return `sm_${organisation}_${randomBytes(32).toString("base64url")}`;
}

export function hashKey(key: string): string {
	return createHash("sha256").update(key).digest("hex");
}

/** A new key of an organisation, and its hash. */
export function mintKey(organisation: OrganisationId): { readonly secret: string; readonly hash: string } {
	const secret = makeKey(organisation);
	return { secret, hash: hashKey(secret) };
}

export function keyRecord(key: string, name: string, organisation: OrganisationId, world: World): ApiKey {
	return {
		id: newId<KeyId>(world.randomBytes),
		organisation,
		name,
		hash: hashKey(key),
		role: "admin",
		grants: null,
		endpoints: null,
		rateLimit: null,
		isEnabled: true,
		expiresAt: null,
		createdAt: world.now(),
	};
}

/** The name of the key from the settings. */
export const operatorKeyName = "CAIRN_API_KEY";
const firstKeyName = "made at the first start";

/**
 * Creates the organisation and a first key at the first start. A key in the settings replaces the previous one in the settings. It
 * works even if it was revoked, so that whoever can start the server is never locked out.
 *
 * @returns `newKey`: the key that was just created, to be shown once; null if none was created.
 */
export async function ensureAccount(
	accounts: AccountStore,
	operatorKey: string | null,
	world: World,
): Promise<{ readonly organisation: OrganisationId; readonly newKey: string | null }> {
	const [existing] = await accounts.organisations();
	const organisation = existing?.id ?? newId<OrganisationId>(world.randomBytes);
	if (existing === undefined) await accounts.addOrganisation({ id: organisation, name: "Default", slug: "default", createdAt: world.now() });
	const keys = await accounts.keys(organisation);
	if (operatorKey !== null) {
		const hash = hashKey(operatorKey);
		const mustBeReplaced = (key: ApiKey) => (key.hash === hash ? !hasFullAccess(key) : key.name === operatorKeyName);
		for (const key of keys.filter(mustBeReplaced)) await accounts.removeKey(organisation, key.id);
		await accounts.addKey({ ...keyRecord(operatorKey, operatorKeyName, organisation, world), role: "operator" });
		return { organisation, newKey: null };
	}
	if (keys.length > 0) return { organisation, newKey: null };
	const newKey = makeKey(organisation);
	await accounts.addKey(keyRecord(newKey, firstKeyName, organisation, world));
	return { organisation, newKey };
}

function hasFullAccess({ role, grants, endpoints, isEnabled, expiresAt }: ApiKey): boolean {
	return role === "operator" && grants === null && endpoints === null && isEnabled && expiresAt === null;
}
