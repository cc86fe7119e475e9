/** The bodies of `/v3/auth` and the query of `/v3/audit` → what core takes. */

import { Type } from "@sinclair/typebox";
import type { NewKey } from "../../../../core/access/key-service.ts";
import { fail } from "../../../../core/errors/fail.ts";
import type { Grant, Grants, Role } from "../../../../core/model/caller.ts";
import { operatorKeyName } from "../../../auth/keys.ts";
import { containerTag } from "../../requests/fields.ts";
import { reader } from "../../requests/reader.ts";

/** The contract's: what a key made for an end user calls. `/v3/memories` is an old name of `/v3/documents`. */
export const scopedEndpoints = ["/v3/documents", "/v3/memories", "/v4/memories", "/v3/search", "/v4/search", "/v4/profile"];

const dayMs = 24 * 60 * 60 * 1_000;
const tagsMax = 100;

const permission = Type.Union([Type.Literal("read"), Type.Literal("write")], { description: "A key that may write may also read." });
const name = Type.String({ minLength: 1, maxLength: 200, description: "What people call the key." });
const expiresInDays = Type.Integer({ minimum: 1, maximum: 365, description: "After how many days the key expires; without it, never." });
const grants = Type.Array(Type.Union([containerTag, Type.Object({ containerTag, permission: Type.Optional(permission) })]), {
	minItems: 1,
	maxItems: tagsMax,
	description: "Several containers, each with what the key may do there; `permission` counts for those that do not say.",
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
	permission: Type.Union([Type.Literal("read"), Type.Literal("write"), Type.Literal("admin")], {
		description: "`admin` may change settings, keys and whole containers; a key with containers cannot be one.",
	}),
	containerTags: Type.Optional(grants),
	expiresInDays: Type.Optional(expiresInDays),
	pluginId: Type.Optional(Type.String({ maxLength: 200, description: "Accepted and ignored." })),
});

export const toggleBody = Type.Object({
	enabled: Type.Optional(Type.Boolean({ description: "Without it the key is turned on when it was off, and off when it was on." })),
});

export const auditQuery = Type.Object({
	after: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0, description: "Only acts after this `sequence`." }),
	limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 100, description: "The most that are answered." }),
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
	const standard = body.permission ?? "write";
	const grants = toGrants([...(body.containerTag === undefined ? [] : [body.containerTag]), ...(body.containerTags ?? [])], standard);
	const [first] = grants;
	if (first === undefined) throw fail("INPUT_INVALID", "containerTag should be given");
	return {
		name: freeName(body.name ?? `scoped_${first.containerTag}`),
		role: roleOf(grants),
		grants,
		endpoints: scopedEndpoints,
		rateLimit: { requestsMax: body.rateLimitMax, windowMs: body.rateLimitTimeWindow },
		expiresAt: daysLater(body.expiresInDays, now),
	};
}

/** @throws ServiceError `INPUT_INVALID` */
export function parseAgentKey(raw: unknown, now: Date): NewKey {
	const { name: given, permission: wanted, containerTags, expiresInDays: days } = readAgent(raw);
	const bounds = { name: freeName(given), endpoints: null, rateLimit: null, expiresAt: daysLater(days, now) };
	if (containerTags === undefined) return { ...bounds, role: wanted, grants: null };
	if (wanted === "admin") throw fail("INPUT_INVALID", "permission should be read or write for a key with containers");
	const grants = toGrants(containerTags, wanted);
	return { ...bounds, role: roleOf(grants), grants };
}

export function parseToggle(raw: unknown): boolean | null {
	return readToggle(raw).enabled ?? null;
}

/** @throws ServiceError `INPUT_INVALID` */
export const parseAudit = reader(auditQuery);

/** Each container once; the first word on it counts. */
function toGrants(
	given: readonly (string | { readonly containerTag: string; readonly permission?: Grant["permission"] })[],
	standard: Grant["permission"],
): Grants {
	const grants = new Map<string, Grant>();
	for (const each of given) {
		const grant = typeof each === "string" ? { containerTag: each, permission: standard } : { permission: standard, ...each };
		if (!grants.has(grant.containerTag)) grants.set(grant.containerTag, grant);
	}
	return [...grants.values()];
}

function roleOf(grants: Grants): Role {
	return grants.some((grant) => grant.permission === "write") ? "write" : "read";
}

/** The operator's own key is known by its name, and replaced by it. */
function freeName(given: string): string {
	if (given === operatorKeyName) throw fail("INPUT_INVALID", `name should not be ${operatorKeyName}, which is the operator's own key`);
	return given;
}

function daysLater(days: number | undefined, now: Date): Date | null {
	return days === undefined ? null : new Date(now.getTime() + days * dayMs);
}
