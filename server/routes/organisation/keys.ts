/** `/v3/auth`, `/v3/session` and `/v3/audit`: keys, the rights of the sent key, and the audit log. */

import type { KeyService } from "../../../core/access/key-service.ts";
import type { AccountStore, ApiKey } from "../../../core/ports/account-store.ts";
import type { World } from "../../../core/ports/world.ts";
import { reachesEndpoint } from "../../auth/request-guard.ts";
import { bodyFromQuery } from "../../wire/requests/query-string.ts";
import { readJson } from "../../wire/requests/read-body.ts";
import {
	agentKeyBody,
	auditQuery,
	parseAgentKey,
	parseAudit,
	parseScopedKey,
	parseToggle,
	scopedKeyBody,
	toggleBody,
} from "../../wire/v3/organisation/key-request.ts";
import { toAudit, toKey, toNewKey, toSession } from "../../wire/v3/organisation/key-response.ts";
import { administers, oversees, reads } from "../access.ts";
import { type Operation, operation } from "../operation.ts";

const tags = ["Keys"] as const;

export function keyRoutes(keys: KeyService, accounts: AccountStore, world: World, isRouted: boolean): readonly Operation[] {
	const mayChat = (key: ApiKey) => isRouted && key.role !== "read" && reachesEndpoint(key, "/v1/chat/completions");
	return [
		operation(
			"GET /v3/session",
			{
				access: { ...reads, scope: "any" },
				summary: "What this key may do",
				description: "Every key may call this, whatever its rights.",
				tags,
				operationId: "getSession",
				responses: { 200: "Session" },
				errors: [],
			},
			async ({ caller: key }) => toSession(key, (await accounts.organisations()).find(({ id }) => id === key.organisation) ?? null, mayChat(key)),
		),
		operation(
			"GET /v3/auth/keys",
			{
				access: oversees,
				summary: "List keys",
				description: "Includes disabled and expired ones; never the keys themselves.",
				tags,
				operationId: "listKeys",
				responses: { 200: "KeyList" },
				errors: [],
			},
			async ({ caller: by }) => ({ keys: (await keys.list(by)).map(toKey) }),
		),
		operation(
			"POST /v3/auth/scoped-key",
			{
				access: { ...administers, secret: "answer" },
				summary: "Make a key that is bound to containers",
				description: "For an end user: it can add and search documents and memories in its containers; nothing else exists for it.",
				tags,
				operationId: "createScopedKey",
				body: scopedKeyBody,
				example: { containerTag: "user_123", expiresInDays: 30 },
				responses: { 200: "NewKey" },
				errors: ["INPUT_INVALID"],
			},
			async ({ request, caller: by }) => toNewKey(await keys.create(by, parseScopedKey(await readJson(request), world.now()))),
		),
		operation(
			"DELETE /v3/auth/scoped-key/:id",
			{
				access: administers,
				summary: "Revoke a key that is bound to containers",
				tags,
				operationId: "deleteScopedKey",
				responses: { 200: "Success" },
				errors: ["KEY_MISSING"],
			},
			async ({ params, caller }) => {
				await keys.revoke(caller, params.id, true);
				return { success: true };
			},
		),
		operation(
			"POST /v3/auth/agent-key",
			{
				access: { ...administers, secret: "answer" },
				summary: "Make a key for a program",
				description: "It may call every endpoint; without containers it may use everything of the organisation.",
				tags,
				operationId: "createAgentKey",
				body: agentKeyBody,
				example: { name: "nightly import", permission: "write", containerTags: ["team"] },
				responses: { 200: "NewKey" },
				errors: ["INPUT_INVALID"],
			},
			async ({ request, caller: by }) => toNewKey(await keys.create(by, parseAgentKey(await readJson(request), world.now()))),
		),
		operation(
			"PUT /v3/auth/keys/:id/toggle",
			{
				access: administers,
				summary: "Turn a key off or on",
				description: "A disabled key gets the same response as an unknown one. The last working admin key cannot be disabled.",
				tags,
				operationId: "toggleKey",
				body: toggleBody,
				example: { enabled: false },
				responses: { 200: "Key" },
				errors: ["INPUT_INVALID", "KEY_MISSING", "KEY_LAST_ADMIN"],
			},
			async ({ request, params, caller: by }) => toKey(await keys.setEnabled(by, params.id, parseToggle(await readJson(request)))),
		),
		operation(
			"DELETE /v3/auth/keys/:id",
			{
				access: administers,
				summary: "Revoke a key",
				description: "Permanently. The last working admin key cannot be revoked.",
				tags,
				operationId: "deleteKey",
				responses: { 200: "Success" },
				errors: ["KEY_MISSING", "KEY_LAST_ADMIN"],
			},
			async ({ params, caller }) => {
				await keys.revoke(caller, params.id, false);
				return { success: true };
			},
		),
		operation(
			"GET /v3/audit",
			{
				access: oversees,
				summary: "List administrative acts",
				description: "Oldest first: what was done to keys, settings, containers, connections and webhooks, and by which key.",
				tags,
				operationId: "listAudit",
				query: auditQuery,
				responses: { 200: "Audit" },
				errors: ["INPUT_INVALID"],
			},
			async ({ request, caller: by }) => {
				const { after, limit } = parseAudit(bodyFromQuery(new URL(request.url), auditQuery));
				return toAudit(await keys.audit(by, after, limit), limit);
			},
		),
	];
}
