/** Reads videos of YouTube: captions with times, and metadata of the page. */

import { type About, type AddressReader, type AddressReading, definePlugin, type Fetched, fail, type ServiceError } from "cairn-memory";
import { z } from "zod";
import { type ApiRequest, jsonOf, nullOnError, requireSuccess, sendRequest, unexpectedResponse } from "../ask.ts";
import { baseUrl, hostNames } from "../base-address.ts";
import { asksConsent, type Player, playabilityError, player, playerOfPage, sortTracks, type Track, tracksOf } from "./player.ts";
import { webVtt } from "./timed-text.ts";

const options = z.strictObject({
	base: baseUrl("https://www.youtube.com"),
	hosts: hostNames(["youtube.com", "www.youtube.com", "m.youtube.com", "music.youtube.com", "youtu.be", "www.youtube-nocookie.com"]),
	/** Caption languages that are preferred to the spoken language. */
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
	start(pluginOptions, host) {
		const reader: AddressReader = {
			name: "youtube",
			recognizes: (address) => pluginOptions.hosts.includes(address.host) && idOf(address) !== null,
			read: (address, step) => readVideo(idOf(address) ?? "", pluginOptions, { host, step, url: address }),
		};
		return { addressReader: [reader] };
	},
});

function idOf({ host, pathname, searchParams }: URL): string | null {
	const [, first = "", second = ""] = pathname.split("/");
	const idInPath = ["shorts", "embed", "live", "v"].includes(first) ? second : null;
	const id = idInPath ?? (/(^|\.)youtu\.be$/.test(host) ? first : first === "watch" ? (searchParams.get("v") ?? "") : "");
	return /^[\w-]{11}$/.test(id) ? id : null;
}

/**
 * The first source with captions is used. The page has the most metadata, but its captions often work only in browsers and are empty
 * here. The APIs of the apps come next.
 */
async function readVideo(id: string, { base, languages, androidVersion, iosVersion }: Options, request: ApiRequest): Promise<AddressReading> {
	const apps = [
		{ clientName: "ANDROID", clientVersion: androidVersion, androidSdkVersion: 30 },
		{ clientName: "IOS", clientVersion: iosVersion, deviceModel: "iPhone16,2" },
	];
	const page = await sendRequest(request, `${base}/watch?${new URLSearchParams({ v: id, hl: "en" })}`, "text/html");
	const fromPage = player.safeParse(playerOfPage(page)).data ?? null;
	const players: Player[] = [];
	const errors: ServiceError[] = [];
	for (const source of [async () => fromPage, ...apps.map((client) => () => nullOnError(fetchPlayer(base, id, client, request), request, errors))]) {
		const playerResponse = await source();
		if (playerResponse === null) continue;
		players.push(playerResponse);
		const captions = await captionsOf(sortTracks(tracksOf(playerResponse), languages), base, request, errors);
		if (captions !== null) return readingOf(captions, players, id);
	}
	// If an error was transient, it is thrown, so that the job is retried: only with all responses is it certain that captions are missing.
	throw errors.find(({ mayPass }) => mayPass) ?? failureOf(page, players, request);
}

async function fetchPlayer(base: string, id: string, client: object, request: ApiRequest): Promise<Player | null> {
	const body = { context: { client: { hl: "en", gl: "US", ...client } }, videoId: id, contentCheckOk: true, racyCheckOk: true };
	const fetched = await sendRequest(
		request,
		`${base}/youtubei/v1/player?prettyPrint=false`,
		"application/json",
		new TextEncoder().encode(JSON.stringify(body)),
	);
	return fetched.status < 300 ? jsonOf(fetched, player) : null;
}

interface Captions {
	readonly track: Track;
	readonly vtt: string;
}

async function captionsOf(tracks: readonly Track[], base: string, request: ApiRequest, errors: ServiceError[]): Promise<Captions | null> {
	for (const track of tracks.slice(0, tracksTriedMax)) {
		const address = URL.parse(track.baseUrl, base);
		// Tracks with this parameter are empty without a token from a browser.
		if (address === null || address.searchParams.get("exp") === "xpe") continue;
		address.searchParams.set("fmt", "json3");
		const fetched = await nullOnError(sendRequest(request, address.href, "*/*"), request, errors);
		const vtt = fetched === null || fetched.status >= 300 ? null : webVtt(new TextDecoder().decode(fetched.bytes));
		if (vtt !== null) return { track, vtt };
	}
	return null;
}

function readingOf({ track, vtt }: Captions, players: readonly Player[], id: string): AddressReading {
	const details = players.find(({ videoDetails }) => videoDetails != null)?.videoDetails;
	const renderer = players.find(({ microformat }) => microformat?.playerMicroformatRenderer != null)?.microformat?.playerMicroformatRenderer;
	const author = details?.author ?? renderer?.ownerChannelName;
	const about: About = {
		siteName: "YouTube",
		canonical: `https://www.youtube.com/watch?v=${id}`,
		image: details?.thumbnail?.thumbnails.at(-1)?.url ?? `https://i.ytimg.com/vi/${id}/hqdefault.jpg`,
		...(author != null && { author }),
		...(renderer?.publishDate != null && { publishedAt: renderer.publishDate }),
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

/** The error if no source has captions: they are missing, or the first reason why the video cannot be played. */
function failureOf(page: Fetched, players: readonly Player[], request: ApiRequest): ServiceError {
	const refusals = players.map((playerResponse) => playabilityError(playerResponse, request.url)).filter((refusal) => refusal !== null);
	const url = request.url.href;
	if (players.some(({ playabilityStatus }) => playabilityStatus.status === "OK")) {
		const hasTracks = players.some((playerResponse) => tracksOf(playerResponse).length > 0);
		return fail("CAPTIONS_MISSING", url, hasTracks ? "they are listed, but the response was empty" : "there are none");
	}
	const [refusal] = refusals;
	if (refusal !== undefined) return refusal;
	if (asksConsent(page)) return fail("ADDRESS_CONSENT", request.url.origin + request.url.pathname);
	requireSuccess(page, request);
	return unexpectedResponse(page.address, "the page contains no player response");
}
