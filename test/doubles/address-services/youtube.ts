/** Answers in the shape of a watch page, of `/youtubei/v1/player` and of `/api/timedtext`. */

export const videoId = "aBcDeFgHiJk";

export interface CaptionTrack {
	readonly baseUrl: string;
	readonly languageCode: string;
	readonly kind?: string;
}

export function playerResponse(tracks: readonly CaptionTrack[] | null, more: object = {}) {
	return {
		...{ responseContext: { visitorData: "x" }, playabilityStatus: { status: "OK", playableInEmbed: true } },
		...(tracks !== null && {
			captions: {
				playerCaptionsTracklistRenderer: {
					captionTracks: tracks.map((track) => ({
						...track,
						name: { simpleText: track.languageCode },
						vssId: `.${track.languageCode}`,
						isTranslatable: true,
						trackName: "",
					})),
					audioTracks: [{ captionTrackIndices: [0], visibility: "UNKNOWN" }],
					defaultAudioTrackIndex: 0,
				},
			},
		}),
		videoDetails: {
			...{
				videoId,
				title: 'The keeper\'s {"notebook"}',
				lengthSeconds: "61",
				channelId: "UCx",
				shortDescription: "How a lighthouse is kept.\nWith } and \\ signs.",
				isLiveContent: false,
			},
			...{
				thumbnail: {
					thumbnails: [
						{ url: "https://i.ytimg.example/s.jpg", width: 168, height: 94 },
						{ url: "https://i.ytimg.example/l.jpg", width: 1280, height: 720 },
					],
				},
				author: "Harbour Films",
			},
		},
		microformat: {
			playerMicroformatRenderer: { publishDate: "2024-05-01T03:00:00-07:00", uploadDate: "2024-05-01T03:00:00-07:00", ownerChannelName: "Harbour Films" },
		},
		...more,
	};
}

/** The page holds the player's answer within a script, followed by more script. */
export function watchPage(response: object | null): string {
	const script = response === null ? "" : `<script nonce="x">var ytInitialPlayerResponse = ${JSON.stringify(response)};var meta = {"a": 1};</script>`;
	return `<!DOCTYPE html><html lang="en"><head><title>x - YouTube</title></head><body><script>ytcfg.set({"INNERTUBE_API_KEY":"k"});</script>${script}</body></html>`;
}

export const consentPage = '<html><body><form action="https://consent.youtube.com/save" method="POST"><button>Reject all</button></form></body></html>';

/** What a machine has heard: each line stays until the one after the next, line feeds are events of their own. */
export const heardJson = {
	wireMagic: "pb3",
	events: [
		{ tStartMs: 0, dDurationMs: 60_000, id: 1, wpWinPosId: 1, wsWinStyleId: 1 },
		{
			tStartMs: 500,
			dDurationMs: 4_000,
			wWinId: 1,
			segs: [
				{ utf8: "The lamp", acAsrConf: 0 },
				{ utf8: " is lit", tOffsetMs: 400 },
			],
		},
		{ tStartMs: 2_500, dDurationMs: 2_000, wWinId: 1, aAppend: 1, segs: [{ utf8: "\n" }] },
		{ tStartMs: 2_600, dDurationMs: 3_000, wWinId: 1, segs: [{ utf8: "at dusk, <not> & before." }] },
	],
};
export const writtenJson = { events: [{ tStartMs: 500, dDurationMs: 2_000, segs: [{ utf8: "The lamp is lit\nat dusk." }] }] };
export const srv1Xml =
	'<?xml version="1.0" encoding="utf-8" ?><transcript><text start="0.5" dur="2">It&amp;#39;s lit</text><text start="2.5">at dusk.</text></transcript>';
export const srv3Xml =
	'<?xml version="1.0" encoding="utf-8" ?><timedtext format="3"><head/><body><p t="500" d="2000"><s>The lamp</s><s t="400"> is lit</s></p><p t="2500" d="900" a="1">\n</p></body></timedtext>';
export const vtt = "WEBVTT\nKind: captions\nLanguage: en\n\n00:00:00.500 --> 00:00:02.500\nThe lamp is lit.\n";

export const unavailable = { status: "ERROR", reason: "Video unavailable" };
export const privateVideo = { status: "LOGIN_REQUIRED", messages: ["This is a private video. Please sign in to verify that you may see it."] };
export const askedForSignIn = { status: "LOGIN_REQUIRED", reason: "Sign in to confirm you’re not a bot" };
export const notBegun = { status: "LIVE_STREAM_OFFLINE", reason: "This live event will begin in 3 days." };
