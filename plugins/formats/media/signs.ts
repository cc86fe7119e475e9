/** How subtitles and recordings are recognised. Recordings are recognised by their first bytes elsewhere; here are their file names. */

import type { FileSign } from "cairn-memory";
import { rootOf } from "../xml/root-of.ts";

export const subtitleSigns: readonly FileSign[] = [
	{ mediaType: "text/vtt", endings: ["vtt"], says: (start) => /^WEBVTT(?=[ \t\n]|$)/.test(start), isPasted: true },
	// A number and a time; some programs leave the number out.
	{
		mediaType: "application/x-subrip",
		endings: ["srt"],
		says: (start) => /^(?:\d{1,9}[ \t]*\n)?\d{1,3}:\d{2}:\d{2}[,.]\d{1,3}[ \t]+-->[ \t]+\d{1,3}:\d{2}:\d{2}[,.]\d{1,3}/.test(start),
		isPasted: true,
	},
	{ mediaType: "text/x-ssa", endings: ["ass", "ssa"], says: (start) => /^\[Script Info\]\s*\n/i.test(start) },
	{ mediaType: "text/x-sbv", endings: ["sbv"], says: (start) => /^\d{1,2}:\d{2}:\d{2}\.\d{3},\d{1,2}:\d{2}:\d{2}\.\d{3}\s*\n/.test(start) },
	{
		mediaType: "application/ttml+xml",
		endings: ["ttml", "dfxp"],
		says: (start) => rootOf(start) === "tt" && start.includes("http://www.w3.org/"),
	},
	{ mediaType: "text/x-lrc", endings: ["lrc"] },
];

export const recordingSigns: readonly FileSign[] = [
	{ mediaType: "audio/flac" },
	{ mediaType: "audio/mp4", aliases: ["audio/x-m4a"], within: "video/mp4", endings: ["m4a", "m4b"] },
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
