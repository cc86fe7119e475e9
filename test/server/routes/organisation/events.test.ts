/** `GET /v3/events` without a process around it: what is asked, who hears what, how many may listen, and a client that does not read. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect } from "node:net";
import { Elysia } from "elysia";
import { fail } from "../../../../core/errors/fail.ts";
import type { FeedItem } from "../../../../core/events/event-feed.ts";
import type { EventService, ListenedItem } from "../../../../core/events/event-service.ts";
import { asId, type DocumentId } from "../../../../core/model/id.ts";
import { limits } from "../../../../core/model/limits.ts";
import type { ApiKey } from "../../../../core/ports/account-store.ts";
import { eventRoutes } from "../../../../server/routes/organisation/events.ts";
import { readEvents } from "../../../doubles/event-reader.ts";
import { startTestServer, type TestServer } from "../../../doubles/test-server.ts";
import { until } from "../../../doubles/until.ts";

let server: TestServer;
beforeAll(async () => {
	server = await startTestServer();
});
afterAll(() => server.dispose());

test("a document is told from queued to done and deleted; of others' documents nothing is", async () => {
	const [owner, stranger] = [await server.client(), await server.client()];
	const response = await owner.send("GET", "/v3/events?types=document.queued,document.done,document.deleted");
	expect(response.status).toBe(200);
	expect(response.headers.get("content-type")).toBe("text/event-stream;charset=utf-8");
	const stream = readEvents(response);
	const overhearing = readEvents(await stranger.send("GET", "/v3/events"));
	const added = await owner.send("POST", "/v3/documents", { content: "Ada lives in London.", containerTag: "a", customId: "ada" });
	const { id } = (await added.json()) as { readonly id: string };
	await owner.finished(id);
	await owner.send("DELETE", `/v3/documents/${id}`);
	const heard = await stream.take(3);
	expect(heard.map(({ event }) => event)).toEqual(["document.queued", "document.done", "document.deleted"]);
	expect(heard[0]?.data).toMatchObject({ type: "document.queued", id, containerTags: ["a"], customId: "ada", at: expect.stringMatching(/^\d{4}-.*Z$/) });
	const mine = await stranger.send("POST", "/v3/documents", { content: "Bob lives in Bonn.", containerTag: "a" });
	expect((await overhearing.next())?.data).toMatchObject({ id: ((await mine.json()) as { id: string }).id });
	await Promise.all([stream.close(), overhearing.close()]);
});

test("containers choose, in both spellings", async () => {
	const client = await server.client();
	const [one, several] = await Promise.all(
		["containerTag=b&types=document.queued", "containerTags=b,c&types=document.queued"].map(async (query) =>
			readEvents(await client.send("GET", `/v3/events?${query}`)),
		),
	);
	for (const containerTag of ["a", "c", "b"]) await client.send("POST", "/v3/documents", { content: `About ${containerTag}.`, containerTag });
	expect((await one?.take(1))?.map(({ data }) => data["containerTags"])).toEqual([["b"]]);
	expect((await several?.take(2))?.map(({ data }) => data["containerTags"])).toEqual([["c"], ["b"]]);
	await Promise.all([one?.close(), several?.close()]);
});

test("what is asked wrongly is refused", async () => {
	const client = await server.client();
	for (const path of ["/v3/events?types=document.eaten", "/v3/events?after=-1", "/v3/events?after=x"]) {
		expect((await client.send("GET", path)).status).toBe(400);
	}
	expect((await client.send("GET", "/v3/events", undefined, { headers: { "last-event-id": "x" } })).status).toBe(400);
	expect((await client.send("GET", "/v3/events", undefined, { headers: { authorization: "" } })).status).toBe(401);
});

test("so many may listen, of each organisation; who goes makes room", async () => {
	const [client, other] = [await server.client(), await server.client()];
	const listen = () => client.send("GET", "/v3/events");
	const streams = await Promise.all(Array.from({ length: limits.eventStreamsMax }, listen));
	expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
	expect(await (await listen()).json()).toMatchObject({ code: "STREAMS_TOO_MANY" });
	const others = await other.send("GET", "/v3/events");
	expect(others.status).toBe(200);
	await streams[0]?.body?.cancel();
	const again = await listen();
	expect(again.status).toBe(200);
	await Promise.all([others, again, ...streams.slice(1)].map(({ body }) => body?.cancel()));
});

/** A service whose feeds never end: it counts what is asked for. */
function endless(item: (asked: number) => FeedItem): { readonly events: EventService; readonly asked: () => number; readonly isClosed: () => boolean } {
	let asked = 0;
	let isClosed = false;
	const next = async () => {
		await new Promise((resolve) => setImmediate(resolve));
		return item(++asked);
	};
	const close = () => {
		isClosed = true;
	};
	return { events: { listen: async () => ({ next, close }), stop: () => undefined }, asked: () => asked, isClosed: () => isClosed };
}

const anybody = async () => undefined;
const listening = (events: EventService, revalidate: () => Promise<unknown>) => {
	const [route] = eventRoutes(events, revalidate);
	return new Elysia().get("/v3/events", ({ request }) => route?.handle({ request, params: {}, caller: {} as ApiKey }));
};

test("a client that does not read holds what the sockets hold, and nothing is read for it beyond that", async () => {
	const facts = { filler: "x".repeat(10_000) };
	const { events, asked, isClosed } = endless((sequence) => {
		return { kind: "event", sequence, event: { sequence, type: "document.done", at: new Date(0), subject: "s", containerTags: [], facts } };
	});
	const app = listening(events, anybody).listen({ port: 0, hostname: "127.0.0.1" });
	const socket = connect(app.server?.port ?? 0, "127.0.0.1");
	socket.write("GET /v3/events HTTP/1.1\r\nhost: localhost\r\n\r\n");
	await new Promise<void>((resolve) => socket.once("data", () => resolve(socket.pause() as never)));
	// Where it read on, it would come to the bound sooner or later: how long it stands before is only a chance to be found out.
	for (let before = -1; before !== asked(); await Bun.sleep(300)) before = asked();
	const held = asked();
	expect(held * facts.filler.length).toBeLessThan(16 * 1024 * 1024);
	socket.resume();
	await until(() => asked() >= held + 10);
	socket.destroy();
	await until(isClosed);
	await app.stop(true);
}, 120_000);

test("a key that was taken back hears no more from the next heartbeat on; a storage that is busy ends nothing", async () => {
	const { events, asked, isClosed } = endless((sequence) => ({ kind: "beat", sequence }));
	const anew = async () => {
		if (asked() === 3) throw fail("STORAGE_UNREACHABLE", "busy");
		if (asked() === 5) throw fail("KEY_INVALID");
	};
	const text = await (await listening(events, anew).handle(new Request("http://localhost/v3/events"))).text();
	expect(text).toBe([1, 2, 3, 4].map((id) => `: still here\nid: ${id}\n\n`).join(""));
	expect(isClosed()).toBe(true);
});

test("steps are told to those who ask for them, and have no id", async () => {
	const asked: boolean[] = [];
	const step = { id: asId<DocumentId>("d1"), containerTags: ["a"], status: "extracting", progress: { done: 3, total: 10, unit: "page" } } as const;
	const listen: EventService["listen"] = async (_caller, _filter, _after, withProgress) => {
		asked.push(withProgress);
		const items: ListenedItem[] = [
			{ kind: "beat", sequence: 7 },
			{ kind: "progress", step },
		];
		return { next: async () => items.shift() ?? null, close: () => undefined };
	};
	const app = listening({ listen, stop: () => undefined }, anybody);
	const text = await (await app.handle(new Request("http://localhost/v3/events?progress=true"))).text();
	await app.handle(new Request("http://localhost/v3/events"));
	expect(asked).toEqual([true, false]);
	expect(text).toBe(`: still here\nid: 7\n\nevent: progress\ndata: ${JSON.stringify({ type: "progress", ...step })}\n\n`);
});
