/** A file in an archive of any kind, and why one cannot be taken out. */

export interface ArchiveEntry {
	readonly path: string;
	/** Why not to open it at all. */
	readonly flaw: Flaw | null;
	/** @throws ServiceError when it is damaged, or inflates to more than that. */
	readonly open: (bytesMax: number) => Uint8Array;
}

export type Flaw = "encrypted" | "broken" | "large" | "many" | "overlapping";

export const flawWords: Readonly<Record<Flaw, string>> = {
	encrypted: "protected by a password",
	broken: "damaged, or packed in a way that is not known",
	large: "too large, or packed much tighter than honest files are",
	many: "too many",
	overlapping: "laid over others, which only archives do that are made to fill a disk",
};

/** What systems leave in an archive for themselves. */
const litter = /(^|\/)(__MACOSX\/|\.DS_Store$|\._[^/]*$|Thumbs\.db$|desktop\.ini$)/i;

/** Folders and litter are no files. */
export function isFile(path: string): boolean {
	return path !== "" && !/[/\\]$/.test(path) && !litter.test(path.replaceAll("\\", "/"));
}
