/** The API page loads from this server alone, and gives out the few files on its list and no other. */

import { afterAll, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { publicAccess } from "../../../../server/routes/access.ts";
import { describeOperation } from "../../../../server/routes/operation.ts";
import { swaggerAsset, swaggerPage, swaggerPolicy } from "../../../../server/routes/pages/swagger-page.ts";
import { toOpenApi30 } from "../../../../server/wire/responses/openapi.ts";
import { browserPath, openBrowser } from "../../../doubles/browser.ts";

const assetsUrl = "/swagger/assets";
const page = swaggerPage({ specUrl: "/openapi.json", assetsUrl });

test("every file the page names is there, with its media type and some content", () => {
	const names = [...page.matchAll(/(?:src|href)="\/swagger\/assets\/([^"]+)"/g)].map((found) => found[1] ?? "");
	expect(names.toSorted()).toEqual(["favicon-32x32.png", "index.css", "start.js", "swagger-ui-bundle.js", "swagger-ui.css"]);
	for (const name of names) {
		const asset = swaggerAsset(name);
		expect(asset?.mediaType).toMatch(/^(text\/(css|javascript); charset=utf-8|image\/png)$/);
		expect(asset?.body.size).toBeGreaterThan(100);
	}
});

test("no other name is turned into a path", () => {
	const others = [
		"",
		".",
		"..",
		"package.json",
		"../package.json",
		"index.html",
		"swagger-ui.css.map",
		"swagger-ui.css/",
		"./swagger-ui.css",
		"SWAGGER-UI.CSS",
	];
	const tricks = ["..%2fpackage.json", "/etc/passwd", "constructor", "__proto__", "toString", "swagger-ui.css\0.png", "swagger-ui-bundle.js?x"];
	for (const name of [...others, ...tricks]) expect(swaggerAsset(name)).toBeNull();
});

test("the page has no inline script, no other host, and an address cannot break out of its attribute", () => {
	expect(page).not.toMatch(/<script(?! src="\/swagger\/assets\/)/);
	expect(page).not.toMatch(/https?:\/\//);
	const hostile = swaggerPage({ specUrl: '"><script>alert(1)</script>', assetsUrl });
	expect(hostile).not.toContain("<script>alert");
	expect(hostile).toContain('data-spec-url="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
});

test("the policy allows scripts from files of this server only", () => {
	expect(swaggerPolicy).toStartWith("default-src 'none'; script-src 'self';");
	expect(swaggerPolicy).not.toMatch(/script-src[^;]*unsafe/);
});

describe.skipIf(browserPath === null)("in a browser", () => {
	const form = Type.Object({
		file: Type.Unsafe<unknown>({ type: "string", format: "binary" }),
		title: Type.Optional(Type.String({ examples: ["Letters"] })),
		metadata: Type.Optional(Type.String()),
	});
	const upload = describeOperation("POST /v3/files", {
		access: publicAccess,
		summary: "Takes a file",
		tags: ["Files"],
		operationId: "take",
		form,
		responses: { 200: null },
		errors: [],
	});
	const spec = {
		openapi: "3.0.3",
		info: { title: "A small interface", version: "1", description: "Said in **Markdown**." },
		components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
		paths: {
			"/v3/things": { get: { summary: "Lists every thing", responses: { 200: { description: "The things" } } } },
			"/v3/files": { post: toOpenApi30(upload as Parameters<typeof toOpenApi30>[0]) },
		},
	};
	const server = Bun.serve({
		hostname: "127.0.0.1",
		port: 0,
		async fetch(request) {
			const { pathname } = new URL(request.url);
			if (pathname === "/v3/files") return Response.json([...(await request.formData())].flatMap(([name, value]) => (value === "" ? [] : [name])));
			if (pathname === "/swagger") return new Response(page, { headers: { "content-type": "text/html", "content-security-policy": swaggerPolicy } });
			if (pathname === "/openapi.json") return Response.json(spec);
			if (pathname === "/v3/things") return Response.json({ things: ["a cairn"] });
			const asset = swaggerAsset(pathname.replace(`${assetsUrl}/`, ""));
			return asset === null ? new Response(null, { status: 404 }) : new Response(asset.body, { headers: { "content-type": asset.mediaType } });
		},
	});
	afterAll(() => server.stop(true));

	test("it draws the document and sends what was filled in, without a complaint and without another host", async () => {
		const { context, close } = await openBrowser({});
		try {
			const tab = await context.newPage();
			const asked: string[] = [];
			const complaints: string[] = [];
			tab.on("request", (request) => asked.push(request.url()));
			tab.on("console", (message) => complaints.push(...(["error", "warning"].includes(message.type()) ? [message.text()] : [])));
			tab.on("pageerror", (error) => complaints.push(String(error)));

			await tab.goto(new URL("/swagger", server.url).href);
			await tab.getByText("Lists every thing").click();
			await tab.getByRole("button", { name: "Execute" }).click();
			await tab.getByText("a cairn").first().waitFor();

			await tab.getByText("Takes a file").click();
			await tab.locator("#operations-Files-take input[type=file]").setInputFiles({ name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("words") });
			await tab.locator("#operations-Files-take").getByRole("button", { name: "Execute" }).click();
			const answer = tab.locator("#operations-Files-take .live-responses-table .microlight").first();
			await answer.waitFor();
			expect(JSON.parse((await answer.textContent()) ?? "")).toEqual(["file"]);

			await tab.getByRole("heading", { name: "A small interface" }).waitFor();
			expect(complaints).toEqual([]);
			expect([...new Set(asked.map((address) => new URL(address).origin))].filter((origin) => origin !== server.url.origin && origin !== "null")).toEqual([]);
			expect(asked.length).toBeGreaterThanOrEqual(7);
		} finally {
			await close();
		}
	}, 300_000);
});
