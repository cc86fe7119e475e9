/** Webhooks are for administrators; what they do to them is on record, and of the secrets nothing is. */

import { expect, test } from "bun:test";
import { asId, type OrganisationId } from "cairn-memory";
import type { KeyId, Role } from "cairn-memory/stores";
import { deliver } from "../../../core/webhooks/deliver.ts";
import { createWebhookService } from "../../../core/webhooks/webhook-service.ts";
import { createVault } from "../../../server/auth/vault.ts";
import { createWebhookSigner } from "../../../server/auth/webhook-signer.ts";
import { createTestParts } from "../../doubles/parts.ts";
import { createTestWorld } from "../../doubles/world.ts";

const organisation = asId<OrganisationId>("1111111111111111111111");
const caller = (role: Role) => ({ organisation, id: asId<KeyId>("key-1"), role, grants: null });
const wanted = { url: "https://example.com/hook", description: null, types: null, containerTags: null };
const never = new AbortController().signal;

test("administrative acts are on record with who did them; a secret is nowhere in the clear", async () => {
	const world = createTestWorld();
	const parts = createTestParts(world);
	const service = createWebhookService(parts);
	const { webhook, secret } = await service.create(caller("admin"), wanted);
	const { secret: second } = await service.rotate(caller("admin"), webhook.id);
	await service.change(caller("admin"), webhook.id, { isEnabled: false });
	const { records, events } = parts.storage.organisation(organisation);
	const kept = JSON.stringify(await records.list("webhook", null, 10, world.now()));
	await service.remove(caller("admin"), webhook.id);
	const acts = await events.after(0, null, 10);
	expect(acts.map(({ type, subject, facts }) => [type, subject === webhook.id, facts])).toEqual([
		["webhook.created", true, { by: "key-1" }],
		["webhook.changed", true, { by: "key-1", changed: ["secret"] }],
		["webhook.changed", true, { by: "key-1", changed: ["isEnabled"] }],
		["webhook.deleted", true, { by: "key-1" }],
	]);
	for (const text of [kept, JSON.stringify(acts), JSON.stringify(world.lines)]) {
		for (const clear of [secret, second]) expect(text).not.toContain(clear.slice("whsec_".length));
	}
});

test("an old secret signs for a day and no longer", async () => {
	const world = createTestWorld();
	const signatures: string[] = [];
	const parts = createTestParts(world, {
		fetch: async (_address, { headers }) => {
			signatures.push(headers?.["webhook-signature"] ?? "");
			throw new Error("told nothing");
		},
	});
	const service = createWebhookService(parts);
	const { webhook } = await service.create(caller("admin"), wanted);
	await service.rotate(caller("admin"), webhook.id);
	for (const hours of [0, 23.9, 0.1]) {
		world.advance(hours * 3_600_000);
		await service.test(caller("admin"), webhook.id, never);
	}
	expect(signatures.map((text) => text.split(" ").length)).toEqual([2, 2, 1]);
});

test("with another key of the server's nothing is sent unsigned: it says that the secret has to be rotated", async () => {
	const world = createTestWorld();
	const parts = createTestParts(world);
	const { webhook } = await createWebhookService(parts).create(caller("admin"), wanted);
	const other = { ...parts, webhookSigner: createWebhookSigner(createVault(new Uint8Array(32).fill(1))) };
	expect(await createWebhookService(other).test(caller("admin"), webhook.id, never)).toMatchObject({
		isDelivered: false,
		error: expect.stringContaining("rotate it"),
	});
});

test("changes and deliveries at one time lose nothing of each other; what was deleted stays deleted", async () => {
	const world = createTestWorld();
	const gate = Promise.withResolvers<void>();
	const entered = Promise.withResolvers<void>();
	const parts = createTestParts(world, {
		fetch: async () => {
			entered.resolve();
			await gate.promise;
			throw new Error("nobody there");
		},
	});
	const service = createWebhookService(parts);
	const { webhook } = await service.create(caller("admin"), wanted);
	const { events, records } = parts.storage.organisation(organisation);
	await events.append({ type: "document.done" as "key.created", at: world.now(), subject: "s", containerTags: ["a"], facts: {} });
	const delivering = deliver(webhook.id, organisation, parts, never);
	await entered.promise;
	await service.change(caller("admin"), webhook.id, { description: "changed meanwhile" });
	gate.resolve();
	await delivering;
	expect(await service.get(caller("admin"), webhook.id)).toMatchObject({ description: "changed meanwhile", trouble: { tries: 1 } });
	const trying = service.test(caller("admin"), webhook.id, never);
	await service.remove(caller("admin"), webhook.id);
	await trying.catch(() => null);
	expect(await records.get("webhook", webhook.id, world.now())).toBeNull();
});
