/** Responses about keys, the session and the audit log. The key itself is returned only once, when it is created. */

import { Type } from "@sinclair/typebox";
import type { MintedKey } from "../../../../core/access/key-service.ts";
import type { Role } from "../../../../core/model/caller.ts";
import type { ApiKey, Organisation } from "../../../../core/ports/account-store.ts";
import type { LogEvent } from "../../../../core/ports/event-log.ts";

const nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) => Type.Union([schema, Type.Null()]);
const grantSchema = Type.Object({ containerTag: Type.String(), permission: Type.String() });
const rateSchema = Type.Object({ max: Type.Integer(), timeWindow: Type.Integer({ description: "Milliseconds." }) });

const keyFields = {
	id: Type.String(),
	name: Type.String(),
	role: Type.String({ description: "`read`, `write`, `admin` or `operator`." }),
	containerTags: nullable(Type.Array(grantSchema, { description: "Null for a key that may use all containers." })),
	allowedEndpoints: nullable(Type.Array(Type.String(), { description: "Paths that it may call, including all paths below them; null for all." })),
	rateLimit: nullable(rateSchema),
	enabled: Type.Boolean(),
	expiresAt: nullable(Type.String({ format: "date-time" })),
	createdAt: Type.String({ format: "date-time" }),
};

export const keySchema = Type.Object(keyFields, { $id: "Key" });
export const keyListSchema = Type.Object({ keys: Type.Array(Type.Object(keyFields)) }, { $id: "KeyList" });
export const newKeySchema = Type.Object(
	{ key: Type.String({ description: "The key itself. It is returned only this once." }), ...keyFields, containerTag: Type.Optional(Type.String()) },
	{ $id: "NewKey" },
);
export const successSchema = Type.Object({ success: Type.Literal(true) }, { $id: "Success" });

export const auditSchema = Type.Object(
	{
		events: Type.Array(
			Type.Object({
				sequence: Type.Integer(),
				type: Type.String(),
				at: Type.String({ format: "date-time" }),
				subject: Type.String({ description: "The id of the object that the event is about." }),
				containerTags: Type.Array(Type.String()),
				facts: Type.Record(Type.String(), Type.Unknown(), { description: "`by` is the id of the key that did it." }),
			}),
		),
		next: nullable(Type.Integer({ description: "The `after` of the next page; null if there is none." })),
	},
	{ $id: "Audit" },
);

export const sessionSchema = Type.Object(
	{
		user: Type.Object({ id: Type.String(), name: Type.String() }),
		org: Type.Optional(Type.Object({ id: Type.String(), name: Type.String(), slug: Type.String() })),
		role: Type.String(),
		accessType: Type.String({ description: "`full` or `restricted`." }),
		containerTags: nullable(Type.Array(grantSchema)),
		scope: Type.Object({
			type: Type.String({ description: "`full` or `scoped`." }),
			permission: Type.String(),
			tag: Type.Optional(Type.String()),
			tags: Type.Optional(Type.Array(Type.String())),
			rateLimit: Type.Optional(rateSchema),
			expires: Type.Optional(Type.String({ format: "date-time" })),
		}),
		chat: Type.Boolean({ description: "Whether the memory router is configured, and the key may use it." }),
		operator: Type.Boolean({ description: "Whether the key may decide about the whole server and its organisations." }),
	},
	{ $id: "Session" },
);

export function toKey({ id, name, role, grants, endpoints, rateLimit, isEnabled, expiresAt, createdAt }: ApiKey) {
	return {
		id,
		name,
		role,
		containerTags: grants,
		allowedEndpoints: endpoints,
		rateLimit: toRate(rateLimit),
		enabled: isEnabled,
		expiresAt: expiresAt?.toISOString() ?? null,
		createdAt: createdAt.toISOString(),
	};
}

export function toNewKey({ key, secret }: MintedKey) {
	const [first] = key.grants ?? [];
	return { key: secret, ...toKey(key), ...(first === undefined ? {} : { containerTag: first.containerTag }) };
}

function toRate(limit: ApiKey["rateLimit"]) {
	return limit === null ? null : { max: limit.requestsMax, timeWindow: limit.windowMs };
}

export function toAudit(events: readonly LogEvent[], limit: number) {
	return {
		events: events.map(({ at, ...event }) => ({ ...event, at: at.toISOString() })),
		next: events.length < limit ? null : (events.at(-1)?.sequence ?? null),
	};
}

/** Supermemory's names of the roles. */
const memberRoles: Readonly<Record<Role, string>> = { read: "viewer", write: "editor", admin: "admin", operator: "owner" };

/** What else the key may do. */
interface Rights {
	readonly chat: boolean;
	readonly operator: boolean;
}

/** There are keys and no users, so fields of a user such as the e-mail address are left out. */
export function toSession({ id, name, role, grants, rateLimit, expiresAt }: ApiKey, organisation: Organisation | null, { chat, operator }: Rights) {
	const tags = grants?.map(({ containerTag }) => containerTag) ?? [];
	const limit = toRate(rateLimit);
	return {
		user: { id, name },
		...(organisation === null ? {} : { org: { id: organisation.id, name: organisation.name, slug: organisation.slug } }),
		role: memberRoles[role],
		accessType: grants === null ? "full" : "restricted",
		containerTags: grants,
		scope: {
			type: grants === null ? "full" : "scoped",
			// Clients know no higher one.
			permission: role === "operator" ? "admin" : role,
			...(tags[0] === undefined ? {} : { tag: tags[0], tags }),
			...(limit === null ? {} : { rateLimit: limit }),
			...(expiresAt === null ? {} : { expires: expiresAt.toISOString() }),
		},
		chat,
		operator,
	};
}
