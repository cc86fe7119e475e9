/** `/v3/auth`, `/v3/session` and `/v3/audit`: API keys, the rights of the request's key, and the audit log. */

import { isOperator } from "../../../core/access/authorize.ts";
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
import { adminAccess, adminReadAccess, readAccess } from "../access.ts";
import { type Operation, operationsOf } from "../operation.ts";

const operation = operationsOf("Keys");

export function keyRoutes(keys: KeyService, accounts: AccountStore, world: World, hasRouter: boolean): readonly Operation[] {
	const mayChat = (key: ApiKey) => hasRouter && key.role !== "read" && reachesEndpoint(key, "/v1/chat/completions");
	return [
		operation(
			"GET /v3/session",
			{
				access: { ...readAccess, scope: "any" },
				summary: "Read the rights of this key",
				description: "Every key may call this, whatever its rights.",
				operationId: "getSession",
				responses: { 200: "Session" },
				errors: [],
			},
			async ({ caller: key }) => {
				const organisation = (await accounts.organisations()).find(({ id }) => id === key.organisation) ?? null;
				return toSession(key, organisation, { chat: mayChat(key), operator: await isOperator(key, accounts) });
			},
		),
		operation(
			"GET /v3/auth/keys",
			{
				access: adminReadAccess,
				summary: "List keys",
				description: "Includes disabled and expired ones; never the keys themselves.",
				operationId: "listKeys",
				responses: { 200: "KeyList" },
				errors: [],
			},
			async ({ caller: key }) => ({ keys: (await keys.list(key)).map(toKey) }),
		),
		operation(
			"POST /v3/auth/scoped-key",
			{
				access: { ...adminAccess, secret: "answer" },
				summary: "Create a key limited to containers",
				description: "For an end user. It may add and search documents and memories in its containers, and nothing else.",
				operationId: "createScopedKey",
				body: scopedKeyBody,
				example: { containerTag: "user_123", expiresInDays: 30 },
				responses: { 200: "NewKey" },
				errors: ["INPUT_INVALID"],
			},
			async ({ request, caller: key }) => toNewKey(await keys.create(key, parseScopedKey(await readJson(request), world.now()))),
		),
		operation(
			"DELETE /v3/auth/scoped-key/:id",
			{
				access: adminAccess,
				summary: "Revoke a key limited to containers",
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
				access: { ...adminAccess, secret: "answer" },
				summary: "Create a key for a program",
				description: "It may call every endpoint; without containers it may use everything of the organisation.",
				operationId: "createAgentKey",
				body: agentKeyBody,
				example: { name: "nightly import", permission: "write", containerTags: ["team"] },
				responses: { 200: "NewKey" },
				errors: ["INPUT_INVALID"],
			},
			async ({ request, caller: key }) => toNewKey(await keys.create(key, parseAgentKey(await readJson(request), world.now()))),
		),
		operation(
			"PUT /v3/auth/keys/:id/toggle",
			{
				access: adminAccess,
				summary: "Disable or enable a key",
				description: "A disabled key gets the same response as an unknown one. The last working admin key cannot be disabled.",
				operationId: "toggleKey",
				body: toggleBody,
				example: { enabled: false },
				responses: { 200: "Key" },
				errors: ["INPUT_INVALID", "KEY_MISSING", "KEY_LAST_ADMIN"],
			},
			async ({ request, params, caller: key }) => toKey(await keys.setEnabled(key, params.id, parseToggle(await readJson(request)))),
		),
		operation(
			"DELETE /v3/auth/keys/:id",
			{
				access: adminAccess,
				summary: "Revoke a key",
				description: "Permanently. The last working admin key cannot be revoked.",
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
				access: adminReadAccess,
				summary: "List the audit log",
				description: "Oldest first: changes of keys, settings, containers, connections and webhooks, and the key that made them.",
				operationId: "listAudit",
				query: auditQuery,
				responses: { 200: "Audit" },
				errors: ["INPUT_INVALID"],
			},
			async ({ request, caller: key }) => {
				const { after, limit } = parseAudit(bodyFromQuery(new URL(request.url), auditQuery));
				return toAudit(await keys.audit(key, after, limit), limit);
			},
		),
	];
}
