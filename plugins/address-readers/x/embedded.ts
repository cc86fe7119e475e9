/** Reads a post by oEmbed: the text in the embed markup, its author, and the date. */

import type { Extraction } from "cairn-memory";
import { z } from "zod";
import { type ApiRequest, jsonOf, privateError, requireSuccess, sendRequest, unexpectedResponse } from "../ask.ts";
import { htmlToText, paragraphsOfHtml } from "../post-html.ts";
import { extractionOf } from "../thread.ts";

const response = z.object({ author_name: z.string(), author_url: z.string().nullish(), html: z.string().min(1), url: z.string().nullish() });

/** The characters of markup that are read, enough for the longest posts. */
const htmlCharactersMax = 100_000;

export async function readByOembed(service: string, id: string, request: ApiRequest): Promise<Extraction> {
	// X accepts "i" for any user name.
	const [, user = "i"] = /^\/(\w{1,20})\/status/.exec(request.url.pathname) ?? [];
	const query = new URLSearchParams({ url: `https://twitter.com/${user}/status/${id}`, omit_script: "1", dnt: "true", lang: "en" });
	const fetched = await sendRequest(request, `${service}/oembed?${query}`);
	if (fetched.status === 403) throw privateError(request.url, "its author shows it to followers only");
	requireSuccess(fetched, request);
	const { author_name, author_url, html, url } = jsonOf(fetched, response);
	const [, attributes = "", postHtml = "", rest = ""] = /<p([^>]*)>([\s\S]*?)<\/p>([\s\S]*)/i.exec(html.slice(0, htmlCharactersMax)) ?? [];
	const paragraphs = paragraphsOfHtml(postHtml);
	if (paragraphs.length === 0) throw unexpectedResponse(fetched.address, "html: contains no text");
	const handle = /^https?:\/\/[^/]+\/(\w+)\/?$/.exec(author_url ?? "")?.[1];
	const main = { author: { name: author_name, handle: handle === undefined ? null : `@${handle}` }, at: dayOf(rest), paragraphs, depth: 0, extras: [] };
	request.step.warn("POST_CUT", "only its text and date are available: pictures and quoted posts are missing");
	const language = /\blang="([\w-]+)"/i.exec(attributes)?.[1] ?? null;
	const canonical = url?.startsWith("https://") === true ? url : request.url.href;
	return extractionOf({ posts: [main], main, type: "tweet", siteName: "X", language, canonical }, request.step);
}

/** The date at the end of the markup, such as `— Ada (@ada) March 21, 2006`. */
function dayOf(html: string): Date | null {
	const [, month = "", day = "", year = ""] = /([A-Z][a-z]+) (\d{1,2}), (\d{4})/.exec(htmlToText(html)) ?? [];
	const date = new Date(`${day} ${month} ${year} 00:00:00 GMT`);
	return Number.isNaN(date.getTime()) ? null : date;
}
