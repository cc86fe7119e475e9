/** X: posts by the interface behind embedded posts, by oEmbed when that says nothing, and every way in which there is none. */

import { afterAll, expect, test } from "bun:test";
import x from "../../../plugins/address-readers/x/index.ts";
import { busy, empty, page, readerOf, readWith, refusalWith, startServicePeer } from "../../doubles/address-services/service-peer.ts";
import { deletedText, oembed, parent, plain, protectedText, quoted, tombstone, tweet } from "../../doubles/address-services/x.ts";

const peer = startServicePeer();
afterAll(peer.close);
const plugin = x({ syndication: peer.origin, oembed: peer.origin });
const address = "https://x.com/keeper/status/1785600000000000001?s=20";
const answering = (syndicated: unknown, embedded: unknown = oembed) => {
	peer.answers = { "/tweet-result": syndicated, "/oembed": embedded };
};
const read = async (...answers: Parameters<typeof answering>) => {
	answering(...answers);
	const { reading, step } = await readWith(plugin, address, peer);
	if (reading?.kind !== "extraction") throw new Error("it was not read");
	return { ...reading.extraction, codes: step.warnings.map(({ code }) => code) };
};
const refused = async (...answers: Parameters<typeof answering>) => {
	answering(...answers);
	return await refusalWith(plugin, address, peer);
};
const status = (value: unknown, code: number) => Response.json(value, { status: code });

test("a post reads with what it answers, what it quotes, its links and its pictures", async () => {
	const { text, title, about, type, language, codes } = await read(tweet({ quoted_tweet: quoted, parent, in_reply_to_screen_name: "ben" }));
	expect({ type, title, language, about, codes }).toEqual({
		...{ type: "tweet", title: "Post by Ada Keeper (@keeper): Wind & rain 🌊 see harbour.example/tides", language: "en", codes: [] },
		about: {
			...{ author: "Ada Keeper (@keeper)", siteName: "X", canonical: "https://x.com/keeper/status/1785600000000000001" },
			...{ publishedAt: "2024-05-01T10:00:00.000Z", image: "https://pbs.example/p.jpg" },
		},
	});
	expect(text).toBe(
		[
			"## Ben (@ben), 2024-05-01 10:00 UTC",
			"**Ben:** Is it going to blow?",
			"### Ada Keeper (@keeper), 2024-05-01 10:00 UTC",
			"**Ada Keeper:** Wind & rain 🌊 see [harbour.example/tides](https://harbour.example/tides)",
			"Stay in.",
			"photo: A chart of the tide",
			"**Met:** Gale warning.",
		].join("\n\n"),
	);
	expect(peer.asked.at(-1)).toMatch(/^\/tweet-result\?id=1785600000000000001&lang=en&token=[a-z1-9]{5,}$/);
});

test("a long post that is shown in part is remarked; a card and an article are kept", async () => {
	const card = { name: "summary", url: "https://t.co/C", binding_values: { title: { string_value: "Tides" }, description: { string_value: "All" } } };
	const { text, codes } = await read(
		tweet({ ...plain, note_tweet: { id: "x" }, card, article: { title: "On storms", preview_text: "They pass" }, lang: "und" }),
	);
	expect(codes).toEqual(["POST_CUT"]);
	expect(text).toContain("On storms: They pass");
	expect(text).toContain("[Tides](https://t.co/C): All");
});

test("where the first interface says nothing, oEmbed does", async () => {
	for (const nothing of [{}, empty(), page("<p>down</p>"), status({}, 404), page("no", 403), busy(), { __typename: "Tweet", text: 7 }]) {
		const { text, about, type, language, codes } = await read(nothing);
		expect({ type, language, codes, day: about?.publishedAt }).toEqual({ type: "tweet", language: "en", codes: ["POST_CUT"], day: "2024-05-01T00:00:00.000Z" });
		expect(peer.asked.at(-1)).toStartWith(`/oembed?url=${encodeURIComponent("https://twitter.com/keeper/status/1785600000000000001")}&`);
		expect(text).toContain("**Ada Keeper:** Wind & rain [https://t.co/AAAAAAAAAA](https://t.co/AAAAAAAAAA)\n\nStay in.");
	}
});

test("what is gone or not for all is not asked twice", async () => {
	expect(await refused(tombstone(deletedText))).toMatchObject({ code: "ADDRESS_GONE", message: expect.stringContaining("deleted by the Post author") });
	expect(await refused(tombstone(protectedText))).toMatchObject({ code: "ADDRESS_PRIVATE" });
	expect(peer.asked.at(-1)).toStartWith("/tweet-result");
});

test("when both say no, the clearer of the two is told", async () => {
	expect(await refused({}, status({ error: "Not Found" }, 404))).toMatchObject({ code: "ADDRESS_GONE" });
	expect(await refused({}, page("no", 403))).toMatchObject({ code: "ADDRESS_PRIVATE" });
	expect(await refused({}, {})).toMatchObject({
		code: "ADDRESS_CHANGED",
		message: expect.stringContaining("empty"),
		hint: expect.stringContaining("add the text itself"),
	});
	expect(await refused({}, { ...oembed, html: "<blockquote></blockquote>" })).toMatchObject({ code: "ADDRESS_CHANGED" });
	expect(await refused({}, busy())).toMatchObject({ code: "ADDRESS_FAILED", mayPass: true, earliestRetryMs: 30_000 });
	expect(await refused(busy(), {})).toMatchObject({ code: "ADDRESS_FAILED", mayPass: true });
});

test("only posts are recognized", async () => {
	const { recognizes } = await readerOf(plugin, peer);
	const known = [
		address,
		"https://twitter.com/i/web/status/1785600000000000001",
		"https://mobile.twitter.com/keeper/statuses/20/photo/1",
		"https://x.com/i/status/20",
	];
	const others = ["https://x.com/keeper", "https://x.com/keeper/status/", "https://x.com/search?q=status/20", "https://a.example/keeper/status/20"];
	expect([...known, ...others].filter((each) => recognizes(new URL(each)))).toEqual(known);
});
