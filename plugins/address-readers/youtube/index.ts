/** Videos of YouTube: captions with times, and metadata of the page. */

import { type About, type AddressReader, type AddressReading, definePlugin, type Fetched, fail, type ServiceError } from "cairn-memory";
import { z } from "zod";
import { type Asked, ask, changed, demandSuccess, jsonOf, orNull } from "../ask.ts";
import { baseAddress, hostNames } from "../base-address.ts";
import { asksConsent, inOrder, type Player, player, playerOfPage, refusalOf, type Track, tracksOf } from "./player.ts";
import { webVtt } from "./timed-text.ts";

const options = z.strictObject({
	base: baseAddress("https://www.youtube.com"),
	hosts: hostNames(["youtube.com", "www.youtube.com", "m.youtube.com", "music.youtube.com", "youtu.be", "www.youtube-nocookie.com"]),
	/** Caption languages that are preferred to the spoken one. */
	languages: z.array(z.string().min(2)).default([]),
	androidVersion: z.string().default("20.10.38"),
	iosVersion: z.string().default("20.10.4"),
});
type Options = z.output<typeof options>;

/** How many caption tracks are tried. */
const tracksTriedMax = 3;

export default definePlugin({
	name: "address-reader-youtube",
	contract: 1,
	options,
	start(given, host) {
		const reader: AddressReader = {
			name: "youtube",
			recognizes: (address) => given.hosts.includes(address.host) && idOf(address) !== null,
			read: (address, step) => read(idOf(address) ?? "", given, { host, step, about: address }),
		};
		return { addressReader: [reader] };
	},
});

function idOf({ host, pathname, searchParams }: URL): string | null {
	const [, first = "", second = ""] = pathname.split("/");
	const named = ["shorts", "embed", "live", "v"].includes(first) ? second : null;
	const id = named ?? (/(^|\.)youtu\.be$/.test(host) ? first : first === "watch" ? (searchParams.get("v") ?? "") : "");
	return /^[\w-]{11}$/.test(id) ? id : null;
}

/**
 * The page has most metadata, but its captions often work only in browsers and are empty here: then the API of the apps is asked.
 * The first source with captions is used.
 */
async function read(id: string, { base, languages, androidVersion, iosVersion }: Options, asked: Asked): Promise<AddressReading> {
	const apps = [
		{ clientName: "ANDROID", clientVersion: androidVersion, androidSdkVersion: 30 },
		{ clientName: "IOS", clientVersion: iosVersion, deviceModel: "iPhone16,2" },
	];
	const page = await ask(asked, `${base}/watch?${new URLSearchParams({ v: id, hl: "en" })}`, "text/html");
	const fromPage = player.safeParse(playerOfPage(page)).data ?? null;
	const seen: Player[] = [];
	const troubles: ServiceError[] = [];
	for (const source of [async () => fromPage, ...apps.map((client) => () => orNull(askPlayer(base, id, client, asked), asked, troubles))]) {
		const told = await source();
		if (told === null) continue;
		seen.push(told);
		const captions = await captionsOf(inOrder(tracksOf(told), languages), base, asked, troubles);
		if (captions !== null) return readingOf(captions, seen, id);
	}
	// A transient failure is retried: a missing caption is only certain after a response.
	throw troubles.find(({ mayPass }) => mayPass) ?? failureOf(page, seen, asked);
}

async function askPlayer(base: string, id: string, client: object, asked: Asked): Promise<Player | null> {
	const body = { context: { client: { hl: "en", gl: "US", ...client } }, videoId: id, contentCheckOk: true, racyCheckOk: true };
	const fetched = await ask(asked, `${base}/youtubei/v1/player?prettyPrint=false`, "application/json", new TextEncoder().encode(JSON.stringify(body)));
	return fetched.status < 300 ? jsonOf(fetched, player) : null;
}

interface Captions {
	readonly track: Track;
	readonly vtt: string;
}

async function captionsOf(tracks: readonly Track[], base: string, asked: Asked, troubles: ServiceError[]): Promise<Captions | null> {
	for (const track of tracks.slice(0, tracksTriedMax)) {
		const address = URL.parse(track.baseUrl, base);
		// Tracks with this parameter are empty without a proof from a browser.
		if (address === null || address.searchParams.get("exp") === "xpe") continue;
		address.searchParams.set("fmt", "json3");
		const fetched = await orNull(ask(asked, address.href, "*/*"), asked, troubles);
		const vtt = fetched === null || fetched.status >= 300 ? null : webVtt(new TextDecoder().decode(fetched.bytes));
		if (vtt !== null) return { track, vtt };
	}
	return null;
}

function readingOf({ track, vtt }: Captions, seen: readonly Player[], id: string): AddressReading {
	const details = seen.find(({ videoDetails }) => videoDetails != null)?.videoDetails;
	const more = seen.find(({ microformat }) => microformat?.playerMicroformatRenderer != null)?.microformat?.playerMicroformatRenderer;
	const author = details?.author ?? more?.ownerChannelName;
	const about: About = {
		siteName: "YouTube",
		canonical: `https://www.youtube.com/watch?v=${id}`,
		image: details?.thumbnail?.thumbnails.at(-1)?.url ?? `https://i.ytimg.com/vi/${id}/hqdefault.jpg`,
		...(author != null && { author }),
		...(more?.publishDate != null && { publishedAt: more.publishDate }),
	};
	return {
		kind: "bytes",
		content: { bytes: new TextEncoder().encode(vtt), fileName: `${id}.vtt`, claimedMediaType: "text/vtt", charset: "utf-8" },
		known: {
			type: "video",
			language: track.languageCode,
			...(details != null && { title: details.title }),
			...(details?.shortDescription && { description: details.shortDescription }),
			about,
		},
	};
}

/** The last refusal is used: the page may refuse what the apps show, but rarely the other way round. */
function failureOf(page: Fetched, seen: readonly Player[], asked: Asked): ServiceError {
	const refused = seen.map((told) => refusalOf(told, asked.about)).filter((refusal) => refusal !== null);
	const shown = asked.about.href;
	if (seen.some(({ playabilityStatus }) => playabilityStatus.status === "OK")) {
		const hasTracks = seen.some((told) => tracksOf(told).length > 0);
		return fail("CAPTIONS_MISSING", shown, hasTracks ? "they were listed, but their answer was empty" : "there are none");
	}
	const [refusal] = refused;
	if (refusal !== undefined) return refusal;
	if (asksConsent(page)) return fail("ADDRESS_CONSENT", asked.about.origin + asked.about.pathname);
	demandSuccess(page, asked);
	return changed(page.address, "the page holds nothing for its player");
}
