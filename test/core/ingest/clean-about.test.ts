/** What is kept of what a source says about itself. */

import { expect, test } from "bun:test";
import { cleanAbout } from "../../../core/ingest/describe.ts";

test("names on one line, addresses of the web, days and instants", () => {
	const about = {
		author: " Ada\n Keeper ",
		publishedAt: "2024-05-01T10:00:00+02:00",
		canonical: "https://a.example",
		image: "http://a.example/i.png",
		siteName: "A",
	};
	expect(cleanAbout(about)).toEqual({ ...about, author: "Ada Keeper", publishedAt: "2024-05-01T08:00:00.000Z", canonical: "https://a.example/" });
	expect(cleanAbout({ publishedAt: "2024-05-01" })).toEqual({ publishedAt: "2024-05-01" });
	expect(cleanAbout(undefined)).toEqual({});
});

test("what is malformed, blank or endless is left out", () => {
	const about = {
		author: "a".repeat(201),
		publishedAt: "2024-05-01T10:00",
		canonical: "javascript:alert(1)",
		image: "data:image/png;base64,AA",
		siteName: " ",
	};
	expect(cleanAbout(about)).toEqual({});
	expect(cleanAbout({ publishedAt: "2024-13-01" })).toEqual({});
	expect(cleanAbout({ image: `https://a.example/${"x".repeat(9_000)}` })).toEqual({});
});
