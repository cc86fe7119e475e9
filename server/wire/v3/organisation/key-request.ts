/** Parses the bodies of `/v3/auth` and the query of `/v3/audit`. */

import { Type } from "@sinclair/typebox";
import type { NewKey } from "../../../../core/access/key-service.ts";
import { fail } from "../../../../core/errors/fail.ts";
import type { Grant, Grants, Role } from "../../../../core/model/caller.ts";
import { operatorKeyName } from "../../../auth/keys.ts";
import { containerTag, displayName } from "../../requests/fields.ts";
import { reader } from "../../requests/reader.ts";

/** The endpoints that the API contract allows to a scoped key. `/v3/memories` is an old name of `/v3/documents`. */
export const scopedEndpoints = ["/v3/documents", "/v3/memories", "/v4/memories", "/v3/search", "/v4/search", "/v4/profile"];

const dayMs = 24 * 60 * 60 * 1_000;
const tagsMax = 100;

const permission = Type.Union([Type.Literal("read"), Type.Literal("write")], { description: "A key that may write may also read." });
const name = displayName(200, "A display name of the key.", "Nightly import");
const expiresInDays = Type.Integer({ minimum: 1, maximum: 365, description: "The key expires after this many days; if absent, never." });
const grants = Type.Array(Type.Union([containerTag, Type.Object({ containerTag, permission: Type.Optional(permission) })]), {
	minItems: 1,
	maxItems: tagsMax,
	description: "Several containers, each with what the key may do there; `permission` applies to those that have none of their own.",
});

export const scopedKeyBody = Type.Object({
	containerTag: Type.Optional(containerTag),
	containerTags: Type.Optional(grants),
	permission: Type.Optional(permission),
	name: Type.Optional(name),
	expiresInDays: Type.Optional(expiresInDays),
	rateLimitMax: Type.Integer({ minimum: 1, maximum: 10_000, default: 500, description: "The most requests in a time window." }),
	rateLimitTimeWindow: Type.Integer({ minimum: 1, maximum: 3_600_000, default: 60_000, description: "The time window, in milliseconds." }),
});

export const agentKeyBody = Type.Object({
	name,
	permission: Type.Union([Type.Literal("read"), Type.Literal("write"), Type.Literal("admin"), Type.Literal("operator")], {
		description:
			"`admin` may change settings, keys and whole containers; `operator`, which only an operator may give, also decides about the server and its organisations. A key with containers can have neither.",
	}),
	containerTags: Type.Optional(grants),
	expiresInDays: Type.Optional(expiresInDays),
	pluginId: Type.Optional(Type.String({ maxLength: 200, description: "Accepted and ignored." })),
});

export const toggleBody = Type.Object({
	enabled: Type.Optional(Type.Boolean({ description: "If absent, the key is enabled when it was disabled, and disabled when it was enabled." })),
});

export const auditQuery = Type.Object({
	after: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0, description: "Only events after this `sequence`." }),
	limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 100, description: "The most events to return." }),
});

const readScoped = reader(scopedKeyBody);
const readAgent = reader(agentKeyBody);
const readToggle = reader(toggleBody);

export interface ScopedKeyRequest extends NewKey {
	readonly grants: Grants;
}

/** @throws ServiceError `INPUT_INVALID` */
export function parseScopedKey(raw: unknown, now: Date): ScopedKeyRequest {
	const body = readScoped(raw);
	const defaultPermission = body.permission ?? "write";
	const grants = toGrants([...(body.containerTag === undefined ? [] : [body.containerTag]), ...(body.containerTags ?? [])], defaultPermission);
	const [first] = grants;
	if (first === undefined) throw fail("INPUT_INVALID", "containerTag should be given");
	return {
		name: checkName(body.name ?? `scoped_${first.containerTag}`),
		role: roleOf(grants),
		grants,
		endpoints: scopedEndpoints,
		rateLimit: { requestsMax: body.rateLimitMax, windowMs: body.rateLimitTimeWindow },
		expiresAt: daysLater(body.expiresInDays, now),
	};
}

/** @throws ServiceError `INPUT_INVALID` */
export function parseAgentKey(raw: unknown, now: Date): NewKey {
	const { name, permission, containerTags, expiresInDays: days } = readAgent(raw);
	const common = { name: checkName(name), endpoints: null, rateLimit: null, expiresAt: daysLater(days, now) };
	if (containerTags === undefined) return { ...common, role: permission, grants: null };
	if (permission === "admin" || permission === "operator") throw fail("INPUT_INVALID", "permission should be read or write for a key with containers");
	const grants = toGrants(containerTags, permission);
	return { ...common, role: roleOf(grants), grants };
}

export function parseToggle(raw: unknown): boolean | null {
	return readToggle(raw).enabled ?? null;
}

/** @throws ServiceError `INPUT_INVALID` */
export const parseAudit = reader(auditQuery);

/** Each container once; if a container is listed twice, the first entry is used. */
function toGrants(
	entries: readonly (string | { readonly containerTag: string; readonly permission?: Grant["permission"] })[],
	defaultPermission: Grant["permission"],
): Grants {
	const grants = new Map<string, Grant>();
	for (const entry of entries) {
		const grant = typeof entry === "string" ? { containerTag: entry, permission: defaultPermission } : { permission: defaultPermission, ...entry };
		if (!grants.has(grant.containerTag)) grants.set(grant.containerTag, grant);
	}
	return [...grants.values()];
}

function roleOf(grants: Grants): Role {
	return grants.some((grant) => grant.permission === "write") ? "write" : "read";
}

/** Rejects the name of the key from the settings: that key is found by its name when it is replaced. */
function checkName(name: string): string {
	if (name === operatorKeyName) throw fail("INPUT_INVALID", `name should not be ${operatorKeyName}, which is the name of the operator's key`);
	return name;
}

function daysLater(days: number | undefined, now: Date): Date | null {
	return days === undefined ? null : new Date(now.getTime() + days * dayMs);
}
