/** Reads YouTube's player response: whether a video is playable, its title, and its caption tracks. */

import { type Fetched, fail, type ServiceError } from "cairn-memory";
import { z } from "zod";
import { goneError, privateError } from "../ask.ts";

const track = z.object({ baseUrl: z.string(), languageCode: z.string(), kind: z.string().nullish() });
export type Track = z.output<typeof track>;

export const player = z.object({
	playabilityStatus: z.object({ status: z.string(), reason: z.string().nullish(), messages: z.array(z.string()).nullish() }),
	videoDetails: z
		.object({
			title: z.string(),
			author: z.string().nullish(),
			shortDescription: z.string().nullish(),
			thumbnail: z.object({ thumbnails: z.array(z.object({ url: z.string() })) }).nullish(),
		})
		.nullish(),
	microformat: z
		.object({ playerMicroformatRenderer: z.object({ publishDate: z.string().nullish(), ownerChannelName: z.string().nullish() }).nullish() })
		.nullish(),
	captions: z.object({ playerCaptionsTracklistRenderer: z.object({ captionTracks: z.array(track).nullish() }).nullish() }).nullish(),
});
export type Player = z.output<typeof player>;

/** The player response in a video's page; null if there is none. */
export function playerOfPage({ bytes }: Fetched): unknown {
	const html = new TextDecoder().decode(bytes);
	const marker = /\bytInitialPlayerResponse\s*=\s*(?=\{)/.exec(html);
	if (marker === null) return null;
	const start = marker.index + marker[0].length;
	try {
		return JSON.parse(html.slice(start, endOfObject(html, start)));
	} catch {
		return null;
	}
}

/** Whether it is a consent page, which is on its own host or has a form that leads there. */
export function asksConsent({ address, bytes }: Fetched): boolean {
	return address.host.startsWith("consent.") || /<form[^<>]+action="https:\/\/consent\.(?:youtube|google)\.com\//.test(new TextDecoder().decode(bytes));
}

function endOfObject(text: string, start: number): number {
	let depth = 0;
	let isQuoted = false;
	for (let index = start; index < text.length; index++) {
		const character = text[index];
		if (isQuoted && character === "\\") index++;
		else if (character === '"') isQuoted = !isQuoted;
		else if (!isQuoted && character === "{") depth++;
		else if (!isQuoted && character === "}" && --depth === 0) return index + 1;
	}
	return text.length;
}

export function tracksOf({ captions }: Player): readonly Track[] {
	return captions?.playerCaptionsTracklistRenderer?.captionTracks ?? [];
}

/**
 * Sorts tracks: the preferred languages first, then the spoken language; manual captions before automatic ones. The language of the
 * automatic track is the spoken language.
 */
export function sortTracks(tracks: readonly Track[], preferredLanguages: readonly string[]): readonly Track[] {
	const spoken = tracks.find(({ kind }) => kind === "asr")?.languageCode;
	const rank = ({ languageCode, kind }: Track) => {
		const preference = preferredLanguages.findIndex((language) => languageCode === language || languageCode.startsWith(`${language}-`));
		const isSpoken = spoken === undefined || languageCode.split("-")[0] === spoken.split("-")[0];
		return (preference < 0 ? preferredLanguages.length : preference) * 4 + (isSpoken ? 0 : 2) + (kind === "asr" ? 1 : 0);
	};
	return tracks.toSorted((a, b) => rank(a) - rank(b));
}

/** The error for a video that cannot be played; null if it can. */
export function playabilityError({ playabilityStatus: { status, reason, messages } }: Player, url: URL): ServiceError | null {
	const why = reason ?? messages?.[0] ?? status;
	if (status === "OK") return null;
	if (status === "ERROR") return goneError(url, why);
	if (status === "LIVE_STREAM_OFFLINE") return fail("CAPTIONS_MISSING", url.href, why);
	return privateError(url, why);
}
