/** Signatures of XML and SVG. */

import type { FileSignature } from "cairn-memory";
import { rootOf } from "../xml/root-of.ts";

export const xmlSignatures: readonly FileSignature[] = [
	{ mediaType: "image/svg+xml", matchesText: (start) => rootOf(start) === "svg" },
	{
		mediaType: "text/xml",
		aliases: ["application/xml", "application/rss+xml", "application/atom+xml"],
		extensions: ["xml", "xsd", "xsl", "rss", "atom", "opml"],
		matchesText: (start) => /^<\?xml\s/.test(start) || /^<[A-Za-z][\w.:-]*\s[^>]*\bxmlns(:\w+)?=/.test(start),
		isGeneric: true,
	},
	{ mediaType: "application/xml" },
	{ mediaType: "application/rss+xml" },
	{ mediaType: "application/atom+xml" },
	{ mediaType: "text/x-opml" },
];
