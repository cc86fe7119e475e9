/**
 * Draws where in a PDF a search hit stands: adds the handbook of the examples to a server, searches over HTTP, and draws
 * the box of the answer over the page it names. Writes docs/images/pdf-hit.webp.
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import * as mupdf from "mupdf";
import { createLog } from "../server/boot/log.ts";
import { startServer } from "../server/boot/start-server.ts";
import { createWorld } from "../server/boot/world.ts";
import { readSettings } from "../server/settings/read-settings.ts";
import { createClient } from "./demo/client.ts";
import { flatPicture } from "./flat-picture.ts";

const pdfPath = resolve(import.meta.dir, "../examples/documents/handbook.pdf");
const picture = resolve(import.meta.dir, "../docs/images/pdf-hit.webp");
const question = "when is a worn chain replaced";
const scale = 1.5;
const colour: mupdf.Color = [0.85, 0.1, 0.1];

type Box = readonly [number, number, number, number];

const folder = await mkdtemp(join(tmpdir(), "cairn-picture-"));
const settings = readSettings({ env: {}, flags: ["--port=0", `--data-dir=${folder}`, "--log-level=error"] });
const server = await startServer(settings, {}, createWorld({ log: createLog({ level: "error", write: (line) => process.stderr.write(line) }) }));
try {
	const client = createClient(server.url, server.newKey ?? "");
	const id = await client.upload(pdfPath, "workshop");
	while (!["done", "failed"].includes((await client.get(id)).status)) await Bun.sleep(50);
	const { results } = await client.searchDocuments(question, "workshop");
	const hit = results[0]?.chunks[0];
	const { page, box } = (hit?.place ?? {}) as { readonly page?: number; readonly box?: Box };
	if (hit === undefined || page === undefined || box === undefined) throw new Error(`the hit names no place: ${JSON.stringify(hit)}`);
	await Bun.write(picture, await flatPicture(drawn(await Bun.file(pdfPath).bytes(), page, box)));
	console.log(`"${question}": page ${page}, box ${box.map((side) => side.toFixed(1)).join(", ")}\n${hit.content}\n→ docs/images/pdf-hit.webp`);
} finally {
	await server.stop();
	await rm(folder, { recursive: true, force: true });
}

/** The page as a picture, a frame around the box. Both count points from the top left corner. */
function drawn(bytes: Uint8Array, page: number, [left, top, right, bottom]: Box): Uint8Array {
	const document = mupdf.Document.openDocument(bytes, "application/pdf");
	const toPixels = mupdf.Matrix.scale(scale, scale);
	const sheet = document.loadPage(page - 1);
	const pixmap = sheet.toPixmap(toPixels, mupdf.ColorSpace.DeviceRGB, false);
	const frame = new mupdf.Path();
	for (const distance of [3, 4.5]) frame.rect(left - distance, top - distance, right + distance, bottom + distance);
	const device = new mupdf.DrawDevice(toPixels, pixmap);
	device.fillPath(frame, true, mupdf.Matrix.identity, mupdf.ColorSpace.DeviceRGB, colour, 1);
	device.close();
	return pixmap.asPNG();
}
