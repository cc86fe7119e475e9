/** Where the training data are from: `manifest.json` beside them, a list with name, repository, licence and kind of each source. */

import { z } from "zod";
import type { Settings } from "../settings.ts";
import type { ReadReport } from "./read-all.ts";

const entry = z.object({ name: z.string(), repo: z.string(), licence: z.string(), kind: z.string(), note: z.string().default("") });
export type ManifestEntry = z.infer<typeof entry>;

export interface DescribedSource extends ManifestEntry {
	readonly pairs: number;
	readonly texts: number;
	/** Pairs and texts that share something with an evaluation. */
	readonly dropped: number;
	/** How often its pairs are drawn, beside the weights of the others. */
	readonly weight: number;
}

/** Without a manifest the sources are of unknown origin, and the card says so. */
export async function readManifest(folder: string): Promise<readonly ManifestEntry[]> {
	const file = Bun.file(`${folder}/manifest.json`);
	return (await file.exists()) ? z.array(entry).parse(await file.json()) : [];
}

export function describeSources(reports: readonly ReadReport[], manifest: readonly ManifestEntry[], settings: Settings): readonly DescribedSource[] {
	const names = [...new Set(reports.map(({ name }) => name))].sort();
	return names.map((name) => {
		const own = reports.filter((report) => report.name === name);
		const lines = (kind: ReadReport["kind"]): number => own.filter((report) => report.kind === kind).reduce((sum, report) => sum + report.lines, 0);
		const known = manifest.find((found) => found.name === name) ?? { name, repo: "unknown", licence: "unknown", kind: "unknown", note: "" };
		const dropped = own.reduce((sum, report) => sum + report.dropped, 0);
		return {
			...known,
			pairs: lines("pairs"),
			texts: lines("raw"),
			dropped,
			weight: lines("pairs") === 0 ? 0 : (settings.sources[name] ?? settings.otherSources),
		};
	});
}
