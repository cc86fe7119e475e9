/** Builds an extraction from posts and their replies: for each post a heading with author and time, then its paragraphs. */

import type { About, DocumentType, Extraction, Step } from "cairn-memory";
import { completeExtraction, type ReadableBlock } from "cairn-memory/words";
import type { Paragraph } from "./paragraph.ts";

export interface Author {
	/** The display name. */
	readonly name: string;
	/** Such as `@ada`, with the `@`; null if the service has only names. */
	readonly handle: string | null;
}

export interface Post {
	readonly author: Author;
	readonly at: Date | null;
	readonly paragraphs: readonly Paragraph[];
	/** 0 for the first post of the thread, 1 for a reply to it. */
	readonly depth: number;
	/** Attached content: a quoted post, an image description, a link preview. */
	readonly extras: readonly Extra[];
}

export interface Extra {
	/** The author of a quotation; null if it is the author of the post, or unknown. */
	readonly author: Author | null;
	readonly paragraph: Paragraph;
}

export interface Thread {
	/** In reading order: a reply follows its parent. */
	readonly posts: readonly Post[];
	/** The post that the URL refers to. */
	readonly main: Post;
	/** The title, if posts of this service have titles. */
	readonly title?: string | null;
	readonly type: DocumentType;
	readonly siteName: string;
	readonly language?: string | null;
	readonly canonical: string;
	readonly image?: string | null;
}

/** Further posts of a thread are left out. */
const postsMax = 5_000;
const titleCharactersMax = 80;
const headingLevelMax = 6;

export function extractionOf({ posts, main, title = null, ...thread }: Thread, step: Step): Extraction {
	if (posts.length > postsMax) step.warn("REPLIES_LEFT_OUT", `of ${posts.length} posts the first ${postsMax} were read`);
	const readPosts = posts.slice(0, postsMax);
	const name = `Post by ${nameOf(main.author)}`;
	const firstWords = main.paragraphs[0]?.text.replace(/\s+/g, " ") ?? "";
	const titleBlocks = title === null || title.trim() === "" ? [] : [heading(1, title)];
	const titleHeadings = titleBlocks.length > 0 ? [title ?? ""] : [];
	return completeExtraction({
		blocks: [...titleBlocks, ...blocksOf(readPosts, titleHeadings)],
		titles: [title, firstWords === "" ? name : `${name}: ${shorten(firstWords, titleCharactersMax)}`],
		description: main.paragraphs.map(({ text }) => text).join(" ") || title,
		language: thread.language,
		type: thread.type,
		about: aboutOf(main, thread),
	});
}

function aboutOf({ author, at }: Post, { siteName, canonical, image }: Pick<Thread, "siteName" | "canonical" | "image">): About {
	return {
		author: nameOf(author),
		siteName,
		canonical,
		...(at !== null && { publishedAt: at.toISOString() }),
		...(image != null && { image }),
	};
}

function blocksOf(posts: readonly Post[], titleHeadings: readonly string[]): readonly ReadableBlock[] {
	const path: string[] = [];
	return posts.flatMap((post) => {
		const level = Math.min(2 + post.depth, headingLevelMax);
		const postHeading = `${nameOf(post.author)}${post.at === null ? "" : `, ${formatTime(post.at)}`}`;
		path.length = Math.min(path.length, level - 2);
		const headingsAbove = [...titleHeadings, ...path];
		path.push(postHeading);
		const postHeadings = [...headingsAbove, postHeading];
		const paragraphs = post.paragraphs.map((paragraph, i) => postParagraph(i === 0 ? post.author : null, paragraph, postHeadings));
		const extras = post.extras.map(({ author, paragraph }) => postParagraph(author, paragraph, postHeadings));
		if (paragraphs.length + extras.length === 0) return [];
		return [{ ...heading(level, postHeading), headings: headingsAbove }, ...paragraphs, ...extras];
	});
}

function heading(level: number, text: string): ReadableBlock {
	return { kind: "heading", level, text: text.replace(/\s+/g, " ").trim(), headings: [], place: {} };
}

/**
 * A paragraph of a post. The author's name is in bold before it, so that later stages recognise any handle as a name. A cue has a
 * speaker as well, but as plain text, in which `sea_dog` would not look like a name.
 */
function postParagraph(author: Author | null, { text, markdown }: Paragraph, headings: readonly string[]): ReadableBlock {
	const label = author === null ? "" : `**${speakerOf(author)}:** `;
	return { kind: "paragraph", text: label + text, markdown: label + markdown, headings, place: {} };
}

/** The name without colons and asterisks, which would end it too early. */
function speakerOf({ name, handle }: Author): string {
	const clean = (text: string) => shorten(text.replace(/[:*\s]+/g, " ").trim(), 40);
	return clean(name) || clean(handle ?? "") || "somebody";
}

export function nameOf({ name, handle }: Author): string {
	const clean = shorten(name.replace(/\s+/g, " ").trim(), 60);
	if (handle === null || clean.toLowerCase() === handle.toLowerCase()) return clean;
	return clean === "" ? handle : `${clean} (${handle})`;
}

/** The time, to the minute. */
function formatTime(at: Date): string {
	return `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

function shorten(text: string, charactersMax: number): string {
	if (text.length <= charactersMax) return text;
	const shortened = text.slice(0, charactersMax - 1);
	const space = shortened.lastIndexOf(" ");
	return `${(space > charactersMax / 2 ? shortened.slice(0, space) : shortened).toWellFormed()}…`;
}

/** Parses seconds since 1970, or a date. Null if it is not a valid time. */
export function parseTime(raw: string | number | null | undefined): Date | null {
	if (raw === null || raw === undefined) return null;
	const date = new Date(typeof raw === "number" ? raw * 1_000 : raw);
	return Number.isNaN(date.getTime()) ? null : date;
}
