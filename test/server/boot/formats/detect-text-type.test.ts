/** Content handed in as text: chats, pages, Markdown, plain text. */

import { expect, test } from "bun:test";
import type { Extractor } from "cairn-memory";
import type { MediaType } from "../../../../core/model/media-type.ts";
import { detectTextType } from "../../../../server/boot/formats/detect-media-type.ts";
import { createMediaTypes } from "../../../../server/boot/media-types.ts";
import { builtinSignatures } from "../../../doubles/builtin-signatures.ts";

const cases: readonly (readonly [what: string, text: string, expected: MediaType])[] = [
	["a sentence", "The meeting moved to Friday.", "text/plain"],
	["nothing", "", "text/plain"],
	["two paragraphs", "One.\n\nTwo - with a dash, and a * star.", "text/plain"],
	["a number sign without a space", "#1 priority is sleep\n#hashtag #another", "text/plain"],
	["subtitles", "1\n00:00:01,000 --> 00:00:02,000\nHi", "application/x-subrip"],
	["captions", "WEBVTT\n\n00:01.000 --> 00:02.000\nHi", "text/vtt"],
	["one item", "- alone", "text/plain"],
	["a bar in prose", "either | or\nthis | that", "text/plain"],
	["bare brackets", "see [1] and [2] (both old)", "text/plain"],
	["a shell script", "#!/bin/sh\n# one\n\n# two\n\necho hi\n", "text/plain"],
	["comments of a program", "# load it\n# then save it\nimport os\n", "text/plain"],
	["a form with fields", "Name: Ada\nBorn: 1815\nCity: London\nWork: analyst", "text/plain"],
	["lines of a log", "INFO: started\nWARN: slow\nINFO: stopped\nWARN: late", "text/plain"],
	["a time in prose", "Let us meet: 10:30 sharp.\nBring: nothing.", "text/plain"],
	["JSON of something else", '[{"role":"admin","content":"x"}]', "text/plain"],
	["a person with a role", '{"name":"Ada","role":"user","plan":"free"}', "text/plain"],

	["a heading", "# Title\n\nwords", "text/markdown"],
	["a heading alone", "# Title", "text/markdown"],
	["a heading with text at once below", "# Title\nwords", "text/markdown"],
	["a heading further down", "words first\n\n## Part\n\nmore", "text/markdown"],
	["Windows line ends", "words\r\n\r\n## Part\r\n", "text/markdown"],
	["fenced code", "Run:\n\n```sh\nls\n```\n", "text/markdown"],
	["a list", "Buy:\n- milk\n- eggs\n", "text/markdown"],
	["a numbered list", "1. first\n2. second", "text/markdown"],
	["a table", "| a | b |\n|---|---|\n| 1 | 2 |", "text/markdown"],
	["a table without outer bars", "a | b\n--- | ---\n1 | 2", "text/markdown"],
	["a link", "See [the site](https://example.com/x).", "text/markdown"],
	["bold words", "**Who:** Ada\n**What:** a meeting", "text/markdown"],
	["Markdown that begins with a tag", '<p align="center">logo</p>\n\n# Title\n\n- one\n- two\n', "text/markdown"],
	["an underlined heading", "Title\n=====\nwords", "text/markdown"],

	["messages", '[{"role":"user","content":"hi"},{"role":"assistant","content":"hello"}]', "application/x-chat+json"],
	["messages with the keys turned around", '[\n  { "content": "hi", "role": "user" }\n]', "application/x-chat+json"],
	["messages with parts", '[{"role":"user","content":[{"type":"text","text":"hi"}]}]', "application/x-chat+json"],
	["messages in an object", '{"model":"x","messages":[{"role":"system","content":"be brief"}]}', "application/x-chat+json"],
	["one message a line", '{"role":"user","content":"hi"}\n{"role":"assistant","content":"hello"}\n', "application/x-chat+json"],
	["speakers by name", '[{"speaker":"agent","text":"hello"}]', "application/x-chat+json"],

	["user and assistant", "User: hi\nAssistant: hello\n", "text/x-chat"],
	["human and AI, over several lines", "Human: tell me\nabout it\n\nAI: well\nthere is much\nto tell", "text/x-chat"],
	["strangers in turn", "Ada: shall we?\nBob: yes\nAda: when?\nBob: at noon", "text/x-chat"],
	[
		"a messenger's export",
		"[02/01/2024, 12:30] Ada Byron: hi\n[02/01/2024, 12:31] Bob: ho\n[02/01/2024, 12:32] Ada Byron: so\n[02/01/2024, 12:33] Bob: yes",
		"text/x-chat",
	],
	["a talk with a list in it", "User: what to buy?\nAssistant: buy\nmilk", "text/x-chat"],

	["a page", "<!DOCTYPE html><html><body>x</body></html>", "text/html"],
];

for (const [what, text, expected] of cases) {
	test(`${what} is ${expected}`, () => {
		expect(detectTextType(text, builtinSignatures)).toBe(expected);
	});
}

test("a long and nasty text takes no time", () => {
	const markdown = new Set(["# ", "\n\n# x"]);
	for (const part of [...markdown, "**a", "[a](", "| -", "- ", "a:", '{"role":', " ", "=\n", "> "])
		expect(detectTextType(part.repeat(1_000_000), builtinSignatures), part).toBe(markdown.has(part) ? "text/markdown" : "text/plain");
});

test("a listed extractor may look at what was handed in as text, and is asked first", () => {
	const says = (start: string) => start.startsWith("# BALLAD");
	const ballad = (isPasted: boolean): Extractor => ({
		name: "ballad",
		accepts: ["text/x-ballad"],
		signatures: [{ mediaType: "text/x-ballad", matchesText: says, appliesToPasted: isPasted }],
		extract: () => Promise.reject(new Error("nothing is read here")),
	});
	const typeWith = (extractor: Extractor) => createMediaTypes([extractor], new Set(["ballad"])).ofText("\n# BALLAD\n\nThe ferry lay at the mole.");
	expect(typeWith(ballad(true))).toBe("text/x-ballad");
	expect(typeWith(ballad(false))).toBe("text/plain");
});
