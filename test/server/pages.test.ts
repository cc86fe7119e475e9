/** Pages of uploaded files as pictures: drawn with their size, within limits, and only for keys that may read the document. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import * as mupdf from "mupdf";
import { fixture } from "../doubles/fixture.ts";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";

const patienceMs = 120_000;
let server: TestServer;
let client: TestClient;
beforeAll(async () => {
	server = await startTestServer();
	client = await server.client();
}, patienceMs);
afterAll(() => server.dispose());

async function upload(name: string, bytes: Uint8Array): Promise<string> {
	const form = new FormData();
	form.append("file", new File([bytes as Uint8Array<ArrayBuffer>], name));
	form.append("containerTag", "harbour");
	return ((await (await client.send("POST", "/v3/documents/file", undefined, { body: form })).json()) as { readonly id: string }).id;
}

/** A page with a black square of this place, in points from its top left corner. */
function squareOn([width, height]: readonly [number, number], [left, top, side]: readonly [number, number, number], rotated: 0 | 90 = 0): Uint8Array {
	const pdf = new mupdf.PDFDocument();
	pdf.insertPage(-1, pdf.addPage([0, 0, width, height], rotated, {}, `0 g ${left} ${height - top - side} ${side} ${side} re f`));
	pdf.insertPage(-1, pdf.addPage([0, 0, 300, 300], 0, {}, ""));
	return pdf.saveToBuffer("").asUint8Array();
}

interface Drawn {
	readonly status: number;
	readonly code: string | null;
	readonly width: number;
	readonly height: number;
	readonly page: { readonly width: number; readonly height: number; readonly count: number };
	/** How dark the picture is at a place of the page, from 0 to 255. */
	readonly shadeAt: (left: number, top: number) => number;
}

async function draw(id: string, page: number | string, query = "", by = client): Promise<Drawn> {
	const answer = await by.send("GET", `/v3/documents/${id}/pages/${page}${query}`);
	const header = (name: string) => Number(answer.headers.get(name));
	const size = { width: header("x-page-width"), height: header("x-page-height"), count: header("x-page-count") };
	if (answer.status !== 200) {
		const { code } = (await answer.json()) as { readonly code: string };
		return { status: answer.status, code, width: 0, height: 0, page: size, shadeAt: () => -1 };
	}
	expect(answer.headers.get("content-type")).toBe("image/jpeg");
	expect(answer.headers.get("cache-control")).toBe("private, no-store");
	const picture = new mupdf.Image(await answer.bytes()).toPixmap();
	const [width, height, stride, parts] = [picture.getWidth(), picture.getHeight(), picture.getStride(), picture.getNumberOfComponents()];
	const pixels = picture.getPixels().slice();
	const shadeAt = (left: number, top: number) =>
		pixels[Math.floor((top / size.height) * height) * stride + Math.floor((left / size.width) * width) * parts] ?? -1;
	return { status: 200, code: null, width, height, page: size, shadeAt };
}

test("a page is drawn as wide as wanted, and its headers tell where a box of points is on it", async () => {
	const id = await upload("square.pdf", squareOn([500, 700], [100, 200, 50]));
	const { width, height, page, shadeAt } = await draw(id, 1, "?width=1000");
	expect([width, height, page]).toEqual([1_000, 1_400, { width: 500, height: 700, count: 2 }]);
	expect(shadeAt(125, 225)).toBeLessThan(40);
	for (const [left, top] of [
		[90, 225],
		[160, 225],
		[125, 190],
		[125, 260],
	] as const)
		expect(shadeAt(left, top)).toBeGreaterThan(215);
	expect((await draw(id, 2)).page).toEqual({ width: 300, height: 300, count: 2 });
});

test("a turned page is drawn as a reader shows it", async () => {
	const { page, shadeAt } = await draw(await upload("turned.pdf", squareOn([500, 700], [100, 200, 50], 90)), 1);
	expect(page).toMatchObject({ width: 700, height: 500 });
	// Turned to the right: what was 200 from the top is 200 from the right.
	expect(shadeAt(700 - 225, 125)).toBeLessThan(40);
});

test("a picture is drawn, and its box counts pixels of the file", async () => {
	const { status, page, width } = await draw(await upload("strip.png", fixture("strip.png")), 1, "?width=300");
	expect([status, width, page.count]).toEqual([200, 300, 1]);
	const file = new mupdf.Image(fixture("strip.png"));
	expect([Math.round(page.width), Math.round(page.height)]).toEqual([file.getWidth(), file.getHeight()]);
});

test("a page that would be too large a picture is drawn smaller", async () => {
	const { width, height } = await draw(await upload("roll.pdf", squareOn([20, 14_000], [1, 1, 1])), 1, "?width=2400");
	expect(height).toBeLessThanOrEqual(8_000);
	expect(width).toBeWithin(5, 20);
});

describe("what cannot be drawn says why", () => {
	const codeAt = async (name: string, bytes: Uint8Array, page: number | string, query = "") => {
		const { status, code } = await draw(await upload(name, bytes), page, query);
		return [status, code];
	};

	test("a page after the last one, and a number that is none", async () => {
		const id = await upload("few.pdf", squareOn([100, 100], [0, 0, 1]));
		expect((await draw(id, 3)).code).toBe("PAGE_MISSING");
		for (const page of ["0", "-1", "1.5", "1e3", "99999999999", "a"]) expect(await draw(id, page)).toMatchObject({ status: 400, code: "INPUT_INVALID" });
		for (const width of ["0", "99", "2401", "1e9", "x"]) expect(await draw(id, 1, `?width=${width}`)).toMatchObject({ status: 400, code: "INPUT_INVALID" });
	});

	test("a format without pages, a text, and a damaged file", async () => {
		expect(await codeAt("notes.csv", new TextEncoder().encode("name,ships\nGullhaven,4\n"), 1)).toEqual([404, "PAGES_NONE"]);
		expect(await codeAt("broken.pdf", new TextEncoder().encode("%PDF-1.7 and nothing else"), 1)).toEqual([422, "FILE_BROKEN"]);
		const { id } = (await (await client.send("POST", "/v3/documents", { content: "A note." })).json()) as { readonly id: string };
		expect(await draw(id, 1)).toMatchObject({ status: 404, code: "FILE_NONE" });
	});
});

test("a key of another container sees no page, though it was drawn a moment ago; neither does anybody once the document is deleted", async () => {
	const id = await upload("secret.pdf", squareOn([100, 100], [10, 10, 10]));
	expect((await draw(id, 1)).status).toBe(200);
	const { key } = (await (await client.send("POST", "/v3/auth/scoped-key", { containerTag: "garden" })).json()) as { readonly key: string };
	expect(await draw(id, 1, "", server.clientWith(key))).toMatchObject({ status: 404, code: "DOCUMENT_MISSING" });
	await client.finished(id);
	expect((await client.send("DELETE", `/v3/documents/${id}`)).status).toBe(204);
	expect((await draw(id, 1)).code).toBe("DOCUMENT_MISSING");
});
