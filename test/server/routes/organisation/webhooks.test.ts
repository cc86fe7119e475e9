/** `/v3/webhooks` over HTTP: made, shown once, signed so that the library of Standard Webhooks agrees, changed, tested, deleted. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { FormatRegistry } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { Webhook } from "standardwebhooks";
import { limits } from "../../../../core/model/limits.ts";
import { deliveriesSchema, deliverySchema, newWebhookSchema, webhookSchema, webhooksSchema } from "../../../../server/wire/v3/organisation/webhook-response.ts";
import { startTestServer, type TestClient, type TestServer } from "../../../doubles/test-server.ts";
import { startReceiver, type WebhookReceiver } from "../../../doubles/webhook-receiver.ts";

FormatRegistry.Set("date-time", (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text));

let receiver: WebhookReceiver;
let server: TestServer;
let client: TestClient;
beforeAll(async () => {
	receiver = startReceiver();
	server = await startTestServer([`--fetch-allow=${receiver.host}`]);
});
afterAll(async () => {
	await server.dispose();
	await receiver.stop();
});

type Answer = Record<string, unknown>;
const json = async (response: Promise<Response>) => (await (await response).json()) as Answer;
const make = async (body: object = {}) => {
	client = await server.client();
	return json(client.send("POST", "/v3/webhooks", { url: receiver.url, ...body }));
};
const fits = (schema: Parameters<typeof Value.Errors>[0], answer: unknown) =>
	expect([...Value.Errors(schema, [webhookSchema, deliverySchema], answer)].map(({ path, message }) => `${path}: ${message}`)).toEqual([]);

test("a document is told, and its signature is right by the library of Standard Webhooks", async () => {
	const before = receiver.received.length;
	const { secret } = await make({ types: ["document.done"], containerTags: "a" });
	expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
	const added = await json(client.send("POST", "/v3/documents", { content: "Ada lives in London.", containerTag: "a" }));
	await receiver.count(before + 1);
	const { headers, body, message } = receiver.received[before] ?? { headers: {}, body: "", message: null };
	expect(new Webhook(String(secret)).verify(body, headers)).toEqual(message as never);
	expect(message).toMatchObject({ type: "document.done", data: { id: added["id"], containerTags: ["a"] } });
	expect(() => new Webhook(String(secret)).verify(`${body} `, headers)).toThrow();
	expect(() => new Webhook(`whsec_${"A".repeat(43)}=`).verify(body, headers)).toThrow();
}, 120_000);

test("the secret is shown once; what else is answered is as it is described", async () => {
	client = await server.client();
	const response = await client.send("POST", "/v3/webhooks", { url: receiver.url, description: "mine" });
	expect(response.status).toBe(201);
	const made = (await response.json()) as Answer;
	fits(newWebhookSchema, made);
	const { secret, ...shown } = made;
	const path = `/v3/webhooks/${String(made["id"])}`;
	expect(await json(client.send("GET", path))).toEqual(shown);
	expect(await json(client.send("GET", "/v3/webhooks"))).toEqual({ webhooks: [shown] });
	fits(webhooksSchema, { webhooks: [shown] });
	const tried = await json(client.send("POST", `${path}/test`));
	fits(deliverySchema, tried);
	expect(tried).toMatchObject({ type: "webhook.test", isDelivered: true, status: 204, error: null });
	const deliveries = await json(client.send("GET", `${path}/deliveries`));
	fits(deliveriesSchema, deliveries);
	expect(deliveries["deliveries"]).toEqual([tried]);
	const changed = await json(client.send("PATCH", path, { isEnabled: false, types: ["memory.created"], containerTags: ["x"], description: null }));
	fits(webhookSchema, changed);
	expect(changed).toMatchObject({ isEnabled: false, types: ["memory.created"], containerTags: ["x"], description: null, url: receiver.url });
	expect(await json(client.send("PATCH", path, { types: null, containerTags: null }))).toMatchObject({ types: null, containerTags: null, isEnabled: false });
	for (const answer of [shown, tried, deliveries, changed]) expect(JSON.stringify(answer)).not.toContain(String(secret).slice(6, 40));
	expect(await json(client.send("DELETE", path))).toEqual({ id: made["id"], deleted: true });
	expect((await client.send("GET", path)).status).toBe(404);
});

test("while one secret takes the place of another both verify, and no third", async () => {
	const { id, secret } = await make({ types: ["memory.deleted"] });
	const rotated = await json(client.send("POST", `/v3/webhooks/${String(id)}/rotate`));
	fits(newWebhookSchema, rotated);
	const verifies = (key: unknown, { body, headers }: (typeof receiver.received)[number]) => {
		try {
			return Boolean(new Webhook(String(key)).verify(body, headers));
		} catch {
			return false;
		}
	};
	const last = async () => {
		await client.send("POST", `/v3/webhooks/${String(id)}/test`);
		const message = receiver.received.at(-1);
		if (message === undefined) throw new Error("nothing came");
		return message;
	};
	const message = await last();
	expect([verifies(secret, message), verifies(rotated["secret"], message)]).toEqual([true, true]);
	expect(message.headers["webhook-signature"]?.split(" ").length).toBe(2);
	const again = await json(client.send("POST", `/v3/webhooks/${String(id)}/rotate`));
	const next = await last();
	expect([verifies(secret, next), verifies(rotated["secret"], next), verifies(again["secret"], next)]).toEqual([false, true, true]);
});

test("what is asked wrongly is refused", async () => {
	client = await server.client();
	const bodies = [
		{},
		{ url: "ftp://example.com" },
		{ url: "nowhere" },
		{ url: "https://user:word@example.com" },
		{ url: receiver.url, types: ["key.created"] },
		{ url: receiver.url, types: [] },
	];
	for (const body of bodies) expect((await client.send("POST", "/v3/webhooks", body)).status, JSON.stringify(body)).toBe(400);
	expect(await json(client.send("GET", "/v3/webhooks"))).toEqual({ webhooks: [] });
	for (const [method, path] of [
		["GET", ""],
		["PATCH", ""],
		["DELETE", ""],
		["POST", "/rotate"],
		["POST", "/test"],
		["GET", "/deliveries"],
	] as const) {
		expect(await json(client.send(method, `/v3/webhooks/nowhere${path}`, method === "PATCH" ? {} : undefined))).toMatchObject({ code: "WEBHOOK_MISSING" });
	}
});

test("there are so many webhooks and no more", async () => {
	client = await server.client();
	const add = () => client.send("POST", "/v3/webhooks", { url: receiver.url, types: ["memory.deleted"] });
	for (let i = 0; i < limits.webhooksMax; i++) expect((await add()).status).toBe(201);
	expect(await json(add())).toMatchObject({ code: "WEBHOOKS_TOO_MANY" });
});

const inner = [
	"http://127.0.0.1/hook",
	"http://localhost/hook",
	"https://[::1]/hook",
	"http://10.0.0.7/hook",
	"http://192.168.1.1:8080/hook",
	"http://169.254.169.254/latest/meta-data/",
	"http://[fd00::1]/hook",
	"http://0.0.0.0/hook",
	"http://2130706433/hook",
	"http://[::ffff:127.0.0.1]/hook",
	"https://example.com:22/hook",
];

test("an inner address is refused when a webhook is made and when it is changed, and nothing is stored", async () => {
	client = await server.client();
	for (const url of inner) {
		const refused = await client.send("POST", "/v3/webhooks", { url });
		expect([url, refused.status, ((await refused.json()) as Answer)["code"]]).toEqual([url, 400, "ADDRESS_BLOCKED"]);
	}
	expect(await json(client.send("GET", "/v3/webhooks"))).toEqual({ webhooks: [] });
	const { id } = await json(client.send("POST", "/v3/webhooks", { url: receiver.url }));
	for (const url of inner) {
		const refused = await client.send("PATCH", `/v3/webhooks/${id}`, { url });
		expect([url, refused.status, ((await refused.json()) as Answer)["code"]]).toEqual([url, 400, "ADDRESS_BLOCKED"]);
	}
	expect(await json(client.send("GET", `/v3/webhooks/${id}`))).toMatchObject({ url: receiver.url });
	expect((await client.send("PATCH", "/v3/webhooks/none-has-this", { url: "http://10.0.0.1/" })).status).toBe(404);
});
