/** Streams of events from a server that is a process: nothing is lost and nothing told twice, whatever ends the connection. */

import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EventReader, type HeardEvent, readEvents } from "../doubles/event-reader.ts";
import { type ServerProcess, startServerProcess } from "../doubles/server-process.ts";
import { startTestServer } from "../doubles/test-server.ts";

const key = "events-test-key-0001";
const folder = await mkdtemp(join(tmpdir(), "cairn-events-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

const start = () => startServerProcess(folder, { CAIRN_API_KEY: key, CAIRN_LOG_LEVEL: "error" });
const authorization = `Bearer ${key}`;

async function listen({ address }: ServerProcess, query = "", lastId = ""): Promise<EventReader> {
	return readEvents(await fetch(`${address}/v3/events${query}`, { headers: { authorization, ...(lastId !== "" && { "last-event-id": lastId }) } }));
}

/** Each brings one event by itself, at once. */
async function remember({ address }: ServerProcess, texts: readonly string[]): Promise<void> {
	const answer = await fetch(`${address}/v4/memories`, {
		method: "POST",
		headers: { authorization, "content-type": "application/json" },
		body: JSON.stringify({ containerTag: "a", memories: texts.map((content) => ({ content })) }),
	});
	if (!answer.ok) throw new Error(await answer.text());
}

async function until(stream: EventReader, wanted: (event: HeardEvent) => boolean, heard: HeardEvent[]): Promise<void> {
	for (;;) {
		const event = await stream.next();
		if (event === null) throw new Error("the stream ended too early");
		heard.push(event);
		if (wanted(event)) return;
	}
}

test("through a broken connection and a kill -9 every event arrives once, in order", async () => {
	const heard: HeardEvent[] = [];
	let created = 0;
	const nth = (count: number) => (event: HeardEvent) => event.event === "memory.created" && ++created === count;
	let server = await start();

	let stream = await listen(server);
	await remember(server, ["Ada is one.", "Bob is two."]);
	await until(stream, nth(2), heard);
	await stream.close();

	await remember(server, ["Cleo is three.", "Dora is four."]);
	stream = await listen(server, "", stream.lastId());
	await until(stream, nth(3), heard);

	// What was written in the last moment before the end may or may not have been heard: the id alone decides.
	await remember(server, ["Emil is five."]);
	const dying = (async () => {
		for (let event = await stream.next(); event !== null; event = await stream.next()) {
			heard.push(event);
			if (event.event === "memory.created") created++;
		}
	})();
	await server.kill("SIGKILL");
	await dying;

	server = await start();
	stream = await listen(server, "", stream.lastId());
	await remember(server, ["Fritz is six."]);
	if (created < 6) await until(stream, nth(6), heard);
	await stream.close();

	const all = await (await listen(server, "?after=0")).take(heard.length);
	expect(heard.map(({ id, event }) => `${id} ${event}`)).toEqual(all.map(({ id, event }) => `${id} ${event}`));
	expect(heard.filter(({ event }) => event === "memory.created").length).toBe(6);
	const ids = heard.map(({ id }) => Number(id));
	expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b));
	await server.kill("SIGKILL");
}, 120_000);

test("a server that is told to stop ends its streams and waits for none", async () => {
	const server = await start();
	const streams = await Promise.all(Array.from({ length: 5 }, () => listen(server)));
	const ended = Promise.all(streams.map((stream) => stream.next()));
	const stopped = server.kill("SIGTERM");
	expect(await ended).toEqual([null, null, null, null, null]);
	expect(await stopped).toBe(0);
}, 120_000);

test("who only asks what is here gets the headers and no stream", async () => {
	const server = await startTestServer();
	try {
		const response = await (await server.client()).send("HEAD", "/v3/events");
		expect([response.status, response.headers.get("content-type")?.split(";")[0], await response.text()]).toEqual([200, "text/event-stream", ""]);
	} finally {
		await server.dispose();
	}
});
