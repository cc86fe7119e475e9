/** Bluesky: a thread with its links, pictures and quotes, and every way in which there is none. */

import { afterAll, expect, test } from "bun:test";
import bluesky from "../../../plugins/address-readers/bluesky.ts";
import { blocked, deleted, did, forMembers, post, resolved, thread, threadView, unknownPost, unresolved } from "../../doubles/address-services/bluesky.ts";
import { busy, empty, extractionWith, page, readerOf, readWith, refusalWith, startServicePeer } from "../../doubles/address-services/service-peer.ts";

const peer = startServicePeer();
afterAll(peer.close);
const plugin = bluesky({ api: peer.origin });
const address = "https://bsky.app/profile/keeper.example/post/3kabcdefghij2";
const answering = (answer: unknown, who: unknown = resolved) => {
	peer.answers = { "/xrpc/com.atproto.identity.resolveHandle": who, "/xrpc/app.bsky.feed.getPostThread": answer };
};
const refused = async (...answers: Parameters<typeof answering>) => {
	answering(...answers);
	return await refusalWith(plugin, address, peer);
};

test("a thread reads from its beginning, each post with who and when", async () => {
	answering(thread);
	const { text, title, about, language, blocks } = await extractionWith(plugin, address, peer);
	expect({ title, language, about }).toEqual({
		title: "Post by Ada Keeper (@keeper.example): Größer storm: see harbour.example/tid...",
		language: "en",
		about: {
			...{ author: "Ada Keeper (@keeper.example)", siteName: "Bluesky", canonical: address },
			...{ publishedAt: "2024-05-01T10:00:00.000Z", image: "https://cdn.bsky.example/t.jpg" },
		},
	});
	expect(text).toBe(
		[
			"## @ben.example, 2024-05-01 10:00 UTC",
			"**@ben.example:** Is it going to blow?",
			"### Ada Keeper (@keeper.example), 2024-05-01 10:00 UTC",
			"**Ada Keeper:** Größer storm: see [harbour.example/tid...](https://harbour.example/tides)",
			"Stay in.",
			"image: A chart of the tide",
			"**Met:** Gale warning.",
			"#### @ben.example, 2024-05-01 10:00 UTC",
			"**@ben.example:** Thank you!",
			"##### Ada Keeper (@keeper.example), 2024-05-01 10:00 UTC",
			"**Ada Keeper:** Any time.",
		].join("\n\n"),
	);
	expect(blocks.find((block) => block.text.endsWith("Thank you!"))?.headings.length).toBe(3);
	expect(peer.asked.at(-1)).toContain(`uri=${encodeURIComponent(`at://${did}/app.bsky.feed.post/3kabcdefghij2`)}`);
});

test("an address with a did is not resolved", async () => {
	answering(thread, page("no", 500));
	expect((await readWith(plugin, `https://bsky.app/profile/${did}/post/3kabcdefghij2`, peer)).reading?.kind).toBe("extraction");
});

test("a link card is kept, answers that are not shown are remarked", async () => {
	const external = { uri: "https://harbour.example/", title: "Harbour", description: "All tides" };
	answering({ thread: threadView(post("Look", { replyCount: 4, embed: { $type: "app.bsky.embed.external#view", external } })) });
	const { reading, step } = await readWith(plugin, address, peer);
	expect(reading).toMatchObject({ extraction: { text: expect.stringContaining("[Harbour](https://harbour.example/): All tides") } });
	expect(step.warnings.map(({ code }) => code)).toEqual(["REPLIES_LEFT_OUT"]);
});

test("what is not there, not for all, changed, empty or busy fails in words of its own", async () => {
	const status = (value: unknown, code: number) => Response.json(value, { status: code });
	expect(await refused(status(unknownPost, 400))).toMatchObject({ code: "ADDRESS_GONE" });
	expect(await refused(thread, status(unresolved, 400))).toMatchObject({ code: "ADDRESS_GONE", message: expect.stringContaining("Unable to resolve") });
	expect(await refused(deleted)).toMatchObject({ code: "ADDRESS_GONE" });
	expect(await refused(blocked)).toMatchObject({ code: "ADDRESS_PRIVATE" });
	expect(await refused(forMembers)).toMatchObject({ code: "ADDRESS_PRIVATE", hint: expect.stringContaining("share it") });
	expect(await refused(status({ error: "InvalidRequest", message: "Error: depth too large" }, 400))).toMatchObject({ code: "ADDRESS_CHANGED" });
	expect(await refused({ thread: { $type: "app.bsky.feed.defs#somethingNew" } })).toMatchObject({ code: "ADDRESS_CHANGED" });
	expect(await refused({})).toMatchObject({ code: "ADDRESS_CHANGED", message: expect.stringContaining("thread") });
	expect(await refused({ thread: threadView({ ...post("x"), record: { text: 7 } }) })).toMatchObject({ code: "ADDRESS_CHANGED" });
	expect(await refused(empty())).toMatchObject({ code: "ADDRESS_CHANGED" });
	expect(await refused(page("<p>moved</p>"))).toMatchObject({ code: "ADDRESS_CHANGED" });
	expect(await refused(busy())).toMatchObject({ code: "ADDRESS_FAILED", mayPass: true });
	expect(await refused({ thread: threadView(post("")) })).toMatchObject({ code: "CONTENT_EMPTY" });
});

test("only posts are recognized", async () => {
	const { recognizes } = await readerOf(plugin, peer);
	const known = [address, `https://bsky.app/profile/${did}/post/3kabcdefghij2/`];
	const others = [
		"https://bsky.app/profile/keeper.example",
		"https://bsky.app/profile/a%zz/post/",
		"https://a.example/profile/keeper.example/post/3kabcdefghij2",
	];
	expect([...known, ...others].filter((each) => recognizes(new URL(each)))).toEqual(known);
});
