/** The files of the documentation site: pages and assets by name, and the pictures in `docs/images`. */

import { join, resolve } from "node:path";
import { type BuiltFiles, loadBuilt } from "../console/built-files.ts";

const root = resolve(import.meta.dir, "../..");
const images = join(root, "docs/images");

export function loadSite(): Promise<BuiltFiles> {
	return loadBuilt({
		builder: resolve(import.meta.dir, "build-site.ts"),
		source: join(root, "console/site/main.ts"),
		packagedFolder: join(root, "console/built/docs"),
		pattern: "**/*.{css,html,js,json}",
	});
}

/** @returns null if there is no picture with this name */
export async function siteImage(name: string): Promise<Blob | null> {
	if (!/^[\w-]+\.(?:png|svg|webp)$/.test(name)) return null;
	const file = Bun.file(join(images, name));
	return (await file.exists()) ? file : null;
}
