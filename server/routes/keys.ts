/** `/v3/auth`, `/v3/session` and `/v3/audit`: keys, what the key in hand may do, and who did what to the organisation. */

import { Elysia } from "elysia";
import type { KeyService } from "../../core/access/key-service.ts";
import type { AccountStore } from "../../core/ports/account-store.ts";
import type { World } from "../../core/ports/world.ts";
import type { Authenticate } from "../app.ts";
import { bodyFromQuery } from "../wire/query-string.ts";
import { readJson } from "../wire/read-body.ts";
import { agentKeyBody, auditQuery, parseAgentKey, parseAudit, parseScopedKey, parseToggle, scopedKeyBody, toggleBody } from "../wire/v3/key-request.ts";
import { toAudit, toKey, toNewKey, toSession } from "../wire/v3/key-response.ts";
import { operation } from "./operation.ts";

const tags = ["Keys"] as const;

export function keyRoutes(keys: KeyService, accounts: AccountStore, world: World, authenticate: Authenticate) {
	return new Elysia()
		.get(
			"/v3/session",
			async ({ request }) => {
				const key = await authenticate(request);
				return toSession(key, (await accounts.organisations()).find(({ id }) => id === key.organisation) ?? null);
			},
			{
				detail: operation({
					summary: "What this key may do",
					description: "Every key may ask, whatever else it may call.",
					tags,
					operationId: "getSession",
					answers: { 200: "Session" },
					errors: [],
				}),
			},
		)
		.get(
			"/v3/auth/keys",
			async ({ request }) => {
				const by = await authenticate(request);
				return { keys: (await keys.list(by)).map(toKey) };
			},
			{
				detail: operation({
					summary: "List keys",
					description: "Disabled and expired ones too; never the keys themselves.",
					tags,
					operationId: "listKeys",
					answers: { 200: "KeyList" },
					errors: ["ROLE_MISSING"],
				}),
			},
		)
		.post(
			"/v3/auth/scoped-key",
			async ({ request }) => {
				const by = await authenticate(request);
				return toNewKey(await keys.create(by, parseScopedKey(await readJson(request), world.now())));
			},
			{
				parse: "none",
				detail: operation({
					summary: "Make a key that is bound to containers",
					description: "For an end user: it adds, searches and remembers in its containers, and everything else is as if it did not exist.",
					tags,
					operationId: "createScopedKey",
					body: scopedKeyBody,
					example: { containerTag: "user_123", expiresInDays: 30 },
					answers: { 200: "NewKey" },
					errors: ["INPUT_INVALID", "ROLE_MISSING"],
				}),
			},
		)
		.delete(
			"/v3/auth/scoped-key/:id",
			async ({ request, params }) => {
				await keys.revoke(await authenticate(request), params.id, true);
				return { success: true };
			},
			{
				parse: "none",
				detail: operation({
					summary: "Revoke a key that is bound to containers",
					tags,
					operationId: "deleteScopedKey",
					answers: { 200: "Success" },
					errors: ["ROLE_MISSING", "KEY_MISSING"],
				}),
			},
		)
		.post(
			"/v3/auth/agent-key",
			async ({ request }) => {
				const by = await authenticate(request);
				return toNewKey(await keys.create(by, parseAgentKey(await readJson(request), world.now())));
			},
			{
				parse: "none",
				detail: operation({
					summary: "Make a key for a program",
					description: "It may call every endpoint; without containers it reaches everything the organisation has.",
					tags,
					operationId: "createAgentKey",
					body: agentKeyBody,
					example: { name: "nightly import", permission: "write", containerTags: ["team"] },
					answers: { 200: "NewKey" },
					errors: ["INPUT_INVALID", "ROLE_MISSING"],
				}),
			},
		)
		.put(
			"/v3/auth/keys/:id/toggle",
			async ({ request, params }) => {
				const by = await authenticate(request);
				return toKey(await keys.turn(by, params.id, parseToggle(await readJson(request))));
			},
			{
				parse: "none",
				detail: operation({
					summary: "Turn a key off or on",
					description: "A key that is off is answered like one that is unknown. The last working admin key stays on.",
					tags,
					operationId: "toggleKey",
					body: toggleBody,
					example: { enabled: false },
					answers: { 200: "Key" },
					errors: ["INPUT_INVALID", "ROLE_MISSING", "KEY_MISSING", "KEY_LAST_ADMIN"],
				}),
			},
		)
		.delete(
			"/v3/auth/keys/:id",
			async ({ request, params }) => {
				await keys.revoke(await authenticate(request), params.id, false);
				return { success: true };
			},
			{
				parse: "none",
				detail: operation({
					summary: "Revoke a key",
					description: "For good. The last working admin key stays.",
					tags,
					operationId: "deleteKey",
					answers: { 200: "Success" },
					errors: ["ROLE_MISSING", "KEY_MISSING", "KEY_LAST_ADMIN"],
				}),
			},
		)
		.get(
			"/v3/audit",
			async ({ request }) => {
				const by = await authenticate(request);
				const { after, limit } = parseAudit(bodyFromQuery(new URL(request.url), auditQuery));
				return toAudit(await keys.audit(by, after, limit), limit);
			},
			{
				detail: operation({
					summary: "List administrative acts",
					description: "Oldest first: what was done to keys, settings, containers, connections and webhooks, and by which key.",
					tags,
					operationId: "listAudit",
					query: auditQuery,
					answers: { 200: "Audit" },
					errors: ["INPUT_INVALID", "ROLE_MISSING"],
				}),
			},
		);
}
