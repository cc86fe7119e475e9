/** Mastodon: a thread of any server, and addresses that only look like one. */

import { afterAll, expect, test } from "bun:test";
import mastodon from "../../../plugins/address-readers/mastodon.ts";
import { context, main, status, strangersRefused, unknownStatus } from "../../doubles/address-services/mastodon.ts";
import { busy, empty, extractionWith, page, readerOf, readWith, refusalWith, startServicePeer } from "../../doubles/address-services/service-peer.ts";

const peer = startServicePeer();
afterAll(peer.close);
const plugin = mastodon();
const address = `${peer.origin}/@ada/${main.id}`;
const answering = (post: unknown, around: unknown = context) => {
	peer.answers = { [`/api/v1/statuses/${main.id}`]: post, [`/api/v1/statuses/${main.id}/context`]: around };
};
const readingOf = async (...answers: Parameters<typeof answering>) => {
	answering(...answers);
	return await readWith(plugin, address, peer);
};

test("a thread reads from its beginning, names are whole", async () => {
	answering(main);
	const { text, title, about, language } = await extractionWith(plugin, address, peer);
	expect({ title, language, about }).toEqual({
		title: `Post by Ada Keeper (@ada@${peer.host}): weather`,
		language: "en",
		about: {
			...{ author: `Ada Keeper (@ada@${peer.host})`, siteName: peer.host, canonical: `https://social.example/@ada/${main.id}` },
			...{ publishedAt: "2024-05-01T10:00:00.000Z", image: "https://files.example/s.png" },
		},
	});
	expect(text).toBe(
		[
			"## ben (@ben@other.example), 2024-05-01 10:00 UTC",
			"**ben:** Is it going to blow?",
			`### Ada Keeper (@ada@${peer.host}), 2024-05-01 10:00 UTC`,
			"**Ada Keeper:** weather",
			"Storm tonight & tomorrow.",
			"Stay in.",
			"image: A chart",
			"- Go",
			"- Stay",
			"[Tides](https://harbour.example/tides): All of them",
			"#### ben (@ben@other.example), 2024-05-01 10:00 UTC",
			"**ben:** Thanks!",
			`##### Ada Keeper (@ada@${peer.host}), 2024-05-01 10:00 UTC`,
			"**Ada Keeper:** Any time.",
		].join("\n\n"),
	);
});

test("without its thread a post is read alone, and that is remarked", async () => {
	const { reading, step } = await readingOf(main, Response.json(strangersRefused, { status: 401 }));
	expect(reading).toMatchObject({ extraction: { text: expect.stringContaining("Stay in.") } });
	expect(step.warnings.map(({ code }) => code)).toEqual(["REPLIES_LEFT_OUT"]);
});

test("a server that shows nothing to strangers says so", async () => {
	answering(Response.json(strangersRefused, { status: 401 }));
	expect(await refusalWith(plugin, address, peer)).toMatchObject({ code: "ADDRESS_PRIVATE" });
});

test("whatever else answers is left to be read as a page", async () => {
	const others = [
		Response.json(unknownStatus, { status: 404 }),
		page("<p>a blog</p>"),
		page("no", 401),
		empty(),
		{},
		{ id: 7 },
		[status("1", "x")],
		busy(),
		page("oh", 500),
	];
	for (const other of others) expect((await readingOf(other)).reading).toBeNull();
});

test("of a server that anybody may run no more than 2 MB of data are taken", async () => {
	const padded = (bytes: number) => ({ ...main, padding: "x".repeat(bytes) });
	expect((await readingOf(padded(1_900_000))).reading).not.toBeNull();
	expect((await readingOf(padded(2_200_000))).reading).toBeNull();
	const { reading, step } = await readingOf({ ...main, replies_count: 2 }, { ...context, padding: "x".repeat(2_200_000) });
	expect([reading?.kind, step.warnings.map(({ code }) => code)]).toEqual(["extraction", ["REPLIES_LEFT_OUT"]]);
});

test("a signal stops the asking", async () => {
	answering(main);
	const stop = AbortSignal.abort(new Error("enough"));
	const reader = await readerOf(plugin, peer);
	const step = { signal: stop, log: () => undefined, warn: () => undefined, progress: () => undefined };
	await expect(reader.read(new URL(address), step)).rejects.toThrow("enough");
});

test("addresses of posts are recognized by their form", async () => {
	const { recognizes } = await readerOf(plugin, peer);
	const known = [
		"/@ada/112233445566778899",
		"/@ada@other.example/112233445566778899",
		"/web/@ada/112233445566778899",
		"/users/ada/statuses/112233445566778899",
		"/notice/AXabcdefgh12",
	];
	const others = ["/@ada", "/@ada/a-story-with-a-name", "/@ada/112233445566778899/embed", "/users/ada/statuses/x", "/notice/1", "/"];
	expect([...known, ...others].filter((path) => recognizes(new URL(path, "https://social.example")))).toEqual(known);
});
