/** How XML is known, and drawings among it. */

import type { FileSign } from "cairn-memory";
import { rootOf } from "../xml/root-of.ts";

export const xmlSigns: readonly FileSign[] = [
	{ mediaType: "image/svg+xml", says: (start) => rootOf(start) === "svg" },
	{
		mediaType: "text/xml",
		aliases: ["application/xml", "application/rss+xml", "application/atom+xml"],
		endings: ["xml", "xsd", "xsl", "rss", "atom", "opml"],
		says: (start) => /^<\?xml\s/.test(start) || /^<[A-Za-z][\w.:-]*\s[^>]*\bxmlns(:\w+)?=/.test(start),
		isOpen: true,
	},
	{ mediaType: "application/xml" },
	{ mediaType: "application/rss+xml" },
	{ mediaType: "application/atom+xml" },
	{ mediaType: "text/x-opml" },
];
