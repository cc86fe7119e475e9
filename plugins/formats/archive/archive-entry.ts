/** A file in an archive of any kind, and the reasons why one cannot be extracted. */

export interface ArchiveEntry {
	readonly path: string;
	/** Why it must not be opened; null when it may be. */
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

/** Files that operating systems add to archives. */
const litter = /(^|\/)(__MACOSX\/|\.DS_Store$|\._[^/]*$|Thumbs\.db$|desktop\.ini$)/i;

/** False for folders and files of the operating system. */
export function isFile(path: string): boolean {
	return path !== "" && !/[/\\]$/.test(path) && !litter.test(path.replaceAll("\\", "/"));
}
