/** Signatures of XML and SVG. */

import type { FileSignature } from "cairn-memory";
import { rootOf } from "../xml/root-of.ts";

export const xmlSignatures: readonly FileSignature[] = [
	{ mediaType: "image/svg+xml", matchesText: (start) => rootOf(start) === "svg" },
	{
		mediaType: "text/xml",
		aliases: ["application/xml", "application/rss+xml", "application/atom+xml"],
		extensions: ["xml", "xsd", "xsl", "rss", "atom", "opml", "nxml", "docbook", "dbk", "tei", "tmx", "xmp"],
		matchesText: (start) =>
			/^<\?x(ml|packet)\s/.test(start) || /^<!DOCTYPE\s+(?!html\b|HTML\b)[A-Za-z]/.test(start) || /^<[A-Za-z][\w.:-]*\s[^>]*\bxmlns(:\w+)?=/.test(start),
		isGeneric: true,
	},
	{ mediaType: "application/xml" },
	{ mediaType: "application/rss+xml" },
	{ mediaType: "application/atom+xml" },
	{ mediaType: "text/x-opml" },
];
