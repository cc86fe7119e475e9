/** YouTube: captions from the page, from the interface of the apps, in all their forms, and every way in which there are none. */

import { afterAll, describe, expect, test } from "bun:test";
import youtube from "../../../plugins/address-readers/youtube/index.ts";
import { webVtt } from "../../../plugins/address-readers/youtube/timed-text.ts";
import { busy, empty, page, readerOf, readWith, refusalWith, startServicePeer } from "../../doubles/address-services/service-peer.ts";
import * as tube from "../../doubles/address-services/youtube.ts";

const peer = startServicePeer();
afterAll(peer.close);
const plugin = youtube({ base: peer.origin });
const { videoId, playerResponse, watchPage } = tube;
const address = `https://www.youtube.com/watch?v=${videoId}&t=4s`;
const captions = (languageCode: string, more: { readonly kind?: string; readonly gated?: true } = {}) => {
	const { kind, gated } = more;
	return {
		baseUrl: `${peer.origin}/api/timedtext?v=${videoId}&lang=${languageCode}${kind ?? ""}${gated ? "&exp=xpe" : ""}`,
		languageCode,
		...(kind !== undefined && { kind }),
	};
};
/** By the name of the app that asks. */
const apps = (answers: Readonly<Record<string, unknown>>) => async (request: Request) => {
	const { context } = (await request.json()) as { readonly context: { readonly client: { readonly clientName: string } } };
	return answers[context.client.clientName] ?? new Response("{}", { status: 400 });
};
const answering = (watch: unknown, timedtext: unknown = tube.writtenJson, player: unknown = apps({})) => {
	peer.answers = { "/watch": watch, "/api/timedtext": timedtext, "/youtubei/v1/player": player };
};
const read = async (...answers: Parameters<typeof answering>) => {
	answering(...answers);
	const { reading } = await readWith(plugin, address, peer);
	if (reading?.kind !== "bytes") throw new Error("there are no captions");
	return { ...reading, vtt: new TextDecoder().decode(reading.content.bytes) };
};
const refused = async (...answers: Parameters<typeof answering>) => {
	answering(...answers);
	return await refusalWith(plugin, address, peer);
};

test("captions of the page, with what the page tells", async () => {
	const { vtt, content, known } = await read(watchPage(playerResponse([captions("en")])));
	expect(vtt).toBe("WEBVTT\n\n00:00:00.500 --> 00:00:02.500\nThe lamp is lit\nat dusk.\n");
	expect(content).toMatchObject({ fileName: `${videoId}.vtt`, claimedMediaType: "text/vtt" });
	expect(known).toEqual({
		...{ type: "video", language: "en", title: 'The keeper\'s {"notebook"}', description: "How a lighthouse is kept.\nWith } and \\ signs." },
		about: {
			...{ siteName: "YouTube", author: "Harbour Films", publishedAt: "2024-05-01T03:00:00-07:00" },
			...{ canonical: `https://www.youtube.com/watch?v=${videoId}`, image: "https://i.ytimg.example/l.jpg" },
		},
	});
	expect(peer.asked.at(-1)).toContain("fmt=json3");
});

test("what people wrote in the spoken language is preferred to what a machine heard, and both to translations", async () => {
	const lang = () => new URL(peer.asked.at(-1) ?? "", peer.origin).searchParams.get("lang");
	await read(watchPage(playerResponse([captions("fr"), captions("de", { kind: "asr" }), captions("de")])));
	expect(lang()).toBe("de");
	await read(watchPage(playerResponse([captions("fr"), captions("de", { kind: "asr" })])));
	expect(lang()).toBe("deasr");
	answering(watchPage(playerResponse([captions("de"), captions("fr")])));
	await readWith(youtube({ base: peer.origin, languages: ["fr"] }), address, peer);
	expect(lang()).toBe("fr");
});

describe("captions that the page keeps for browsers", () => {
	const clean = playerResponse([captions("en")], { microformat: undefined });

	test("are asked of the apps' interface, and what the page told is kept", async () => {
		const { vtt, known } = await read(watchPage(playerResponse([captions("en", { gated: true })])), tube.heardJson, apps({ ANDROID: clean }));
		expect(vtt).toContain("00:00:00.500 --> 00:00:02.600\nThe lamp is lit");
		expect(known.about?.publishedAt).toBe("2024-05-01T03:00:00-07:00");
	});

	test("are asked of the second app where the first is refused", async () => {
		const player = apps({ ANDROID: { playabilityStatus: tube.askedForSignIn }, IOS: clean });
		expect((await read(watchPage(null), tube.vtt, player)).vtt).toBe(tube.vtt);
	});

	test("are asked of the apps although the page asks about cookies", async () => {
		expect((await read(tube.consentPage, tube.srv3Xml, apps({ ANDROID: clean }))).vtt).toContain("The lamp is lit");
	});
});

describe("no captions", () => {
	test("because there are none, or their answer is empty", async () => {
		expect(await refused(watchPage(playerResponse(null)))).toMatchObject({
			code: "CAPTIONS_MISSING",
			hint: expect.stringContaining("CAIRN_TRANSCRIPTION_URL"),
			mayPass: false,
		});
		for (const nothing of [empty(), { events: [] }, page("<html></html>"), new Response("no", { status: 403 }), "WEBVTT\n\n"])
			expect(await refused(watchPage(playerResponse([captions("en")])), nothing)).toMatchObject({
				code: "CAPTIONS_MISSING",
				message: expect.stringContaining("empty"),
			});
	});

	test("because the video is gone, private, not begun, or the page asks about cookies", async () => {
		const told = (playabilityStatus: object) => watchPage({ playabilityStatus });
		expect(await refused(told(tube.unavailable))).toMatchObject({ code: "ADDRESS_GONE", message: expect.stringContaining("Video unavailable") });
		expect(await refused(told(tube.privateVideo))).toMatchObject({ code: "ADDRESS_PRIVATE", message: expect.stringContaining("private video") });
		expect(await refused(told(tube.askedForSignIn))).toMatchObject({ code: "ADDRESS_PRIVATE" });
		expect(await refused(told(tube.notBegun))).toMatchObject({ code: "CAPTIONS_MISSING" });
		expect(await refused(tube.consentPage)).toMatchObject({ code: "ADDRESS_CONSENT" });
	});

	test("because the answers are of another shape, or the service is busy", async () => {
		expect(await refused(watchPage(null))).toMatchObject({ code: "ADDRESS_CHANGED", message: expect.stringContaining("player") });
		expect(await refused('<script>var ytInitialPlayerResponse = {"cut</script>')).toMatchObject({ code: "ADDRESS_CHANGED" });
		expect(await refused(page("gone", 404))).toMatchObject({ code: "ADDRESS_GONE" });
		expect(await refused(busy())).toMatchObject({ code: "ADDRESS_FAILED", mayPass: true });
		expect(await refused(watchPage(playerResponse([captions("en")])), busy())).toMatchObject({
			code: "ADDRESS_FAILED",
			mayPass: true,
			earliestRetryMs: 30_000,
		});
	});
});

describe("timed text", () => {
	test("as a machine heard it ends a line where the next begins", () => {
		expect(webVtt(JSON.stringify(tube.heardJson))).toBe(
			"WEBVTT\n\n00:00:00.500 --> 00:00:02.600\nThe lamp is lit\n\n00:00:02.600 --> 00:00:05.600\nat dusk, &lt;not&gt; &amp; before.\n",
		);
	});

	test("as XML of both kinds", () => {
		expect(webVtt(tube.srv1Xml)).toBe("WEBVTT\n\n00:00:00.500 --> 00:00:02.500\nIt's lit\n\n00:00:02.500 --> 00:00:02.501\nat dusk.\n");
		expect(webVtt(tube.srv3Xml)).toBe("WEBVTT\n\n00:00:00.500 --> 00:00:02.500\nThe lamp is lit\n");
	});

	test("that is none, or endless, ends soon", () => {
		for (const odd of ["", "{}", "[]", "null", '{"events":7}', "<html>", "WEBVTT", "<p".repeat(100_000), "<p>".repeat(100_000)]) expect(webVtt(odd)).toBeNull();
	});
});

test("all forms of a video's address are recognized, and nothing else", async () => {
	const { recognizes } = await readerOf(plugin, peer);
	const known = [
		address,
		`https://youtu.be/${videoId}?si=x`,
		...["shorts", "embed", "live"].map((form) => `https://www.youtube.com/${form}/${videoId}`),
		`https://m.youtube.com/watch?v=${videoId}`,
	];
	const others = [
		"https://www.youtube.com/@harbour",
		"https://www.youtube.com/watch?v=short",
		"https://www.youtube.com/playlist?list=x",
		`https://a.example/watch?v=${videoId}`,
		"https://youtu.be/",
	];
	expect([...known, ...others].filter((each) => recognizes(new URL(each)))).toEqual(known);
});
