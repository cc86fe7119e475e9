/** Signatures of subtitles and recordings. `file-type` recognises the magic bytes of recordings, so these have extensions only. */

import type { FileSignature } from "cairn-memory";
import { rootOf } from "../xml/root-of.ts";

export const subtitleSignatures: readonly FileSignature[] = [
	{ mediaType: "text/vtt", extensions: ["vtt"], matchesText: (start) => /^WEBVTT(?=[ \t\n]|$)/.test(start), appliesToPasted: true },
	// A number, which some programs leave out, and a time line.
	{
		mediaType: "application/x-subrip",
		extensions: ["srt"],
		matchesText: (start) => /^(?:\d{1,9}[ \t]*\n)?\d{1,3}:\d{2}:\d{2}[,.]\d{1,3}[ \t]+-->[ \t]+\d{1,3}:\d{2}:\d{2}[,.]\d{1,3}/.test(start),
		appliesToPasted: true,
	},
	{ mediaType: "text/x-ssa", extensions: ["ass", "ssa"], matchesText: (start) => /^\[Script Info\]\s*\n/i.test(start) },
	{ mediaType: "text/x-sbv", extensions: ["sbv"], matchesText: (start) => /^\d{1,2}:\d{2}:\d{2}\.\d{3},\d{1,2}:\d{2}:\d{2}\.\d{3}\s*\n/.test(start) },
	{
		mediaType: "application/ttml+xml",
		extensions: ["ttml", "dfxp"],
		matchesText: (start) => rootOf(start) === "tt" && start.includes("http://www.w3.org/"),
	},
	{ mediaType: "text/x-lrc", extensions: ["lrc"] },
];

export const recordingSignatures: readonly FileSignature[] = [
	{ mediaType: "audio/flac" },
	{ mediaType: "audio/mp4", aliases: ["audio/x-m4a"], container: "video/mp4", extensions: ["m4a", "m4b"] },
	{ mediaType: "audio/mpeg" },
	{ mediaType: "audio/ogg", aliases: ["application/ogg"] },
	{ mediaType: "audio/wav", aliases: ["audio/x-wav", "audio/vnd.wave"] },
	{ mediaType: "audio/webm" },
	{ mediaType: "audio/x-matroska", aliases: ["audio/matroska"] },
	{ mediaType: "video/3gpp" },
	{ mediaType: "video/3gpp2" },
	{ mediaType: "video/mp4", aliases: ["video/x-m4v"] },
	{ mediaType: "video/ogg" },
	{ mediaType: "video/quicktime" },
	{ mediaType: "video/webm" },
	{ mediaType: "video/x-matroska", aliases: ["video/matroska"] },
	{ mediaType: "video/x-msvideo", aliases: ["video/vnd.avi"] },
	{ mediaType: "audio/*" },
	{ mediaType: "video/*" },
];
