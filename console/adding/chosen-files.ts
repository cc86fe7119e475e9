/** Files that somebody drops or chooses, those of whole folders with their paths. */

import type { DropItem } from "react-aria-components";
import { counted } from "../parts/values.tsx";

export interface ChosenFile {
	readonly file: File;
	/** `letters/2026/may.txt` inside of a folder; absent for a file by itself. */
	readonly path?: string;
}

export interface ChosenFiles {
	readonly files: readonly ChosenFile[];
	/** What was left out and why; null for nothing. */
	readonly remark: string | null;
}

/** The page keeps every one until it is sent. Who has more uses the command line. */
const filesMax = 2_000;

/** The files of the items. Of more files than fit none is taken: half a folder would be mistaken for a whole one. */
export async function filesOfItems(items: readonly DropItem[]): Promise<ChosenFiles> {
	const found: ChosenFile[] = [];
	for (const item of items) if (!(await collect(item, "", found))) return tooMany;
	return withoutHidden(found);
}

/** Of a file picker. A folder that was picked gives each file its path. */
export function filesOfPicker(list: FileList | null): ChosenFiles {
	const found = [...(list ?? [])].map((file) => (file.webkitRelativePath === "" ? { file } : { file, path: file.webkitRelativePath }));
	return found.length > filesMax ? tooMany : withoutHidden(found);
}

const tooMany: ChosenFiles = {
	files: [],
	remark: `Nothing was added: these are more than ${counted(filesMax, "file")}. Add the folder with the command cairn add, or in parts.`,
};

/** @returns false as soon as there are too many */
async function collect(item: DropItem, folder: string, found: ChosenFile[]): Promise<boolean> {
	if (item.kind === "text") return true;
	const path = `${folder}${item.name}`;
	if (item.kind === "file") {
		found.push({ file: await item.getFile(), ...(folder === "" ? {} : { path }) });
		return found.length <= filesMax;
	}
	if (isHidden(item.name)) return true;
	for await (const entry of item.getEntries()) if (!(await collect(entry, `${path}/`, found))) return false;
	return true;
}

/** What systems and programs keep in folders for themselves. */
function withoutHidden(found: readonly ChosenFile[]): ChosenFiles {
	const files = found.filter(({ path }) => path === undefined || !path.split("/").some(isHidden));
	const hidden = found.length - files.length;
	if (hidden > 0) return { files, remark: `${counted(hidden, "hidden file")} of the folder ${hidden === 1 ? "was" : "were"} left out.` };
	return { files, remark: found.length === 0 ? "There is no file in it." : null };
}

function isHidden(name: string): boolean {
	return name.startsWith(".");
}
