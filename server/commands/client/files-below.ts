/** The files of a folder that commands add. */

/** Skipped: hidden files, and folders of package managers. */
const skipped = /(?:^|\/)(?:\.[^./]|node_modules(?:\/|$))/;

/** @param name relative to the folder, with slashes */
export function isSkipped(name: string): boolean {
	return skipped.test(name);
}

/** @returns names relative to the folder, with slashes, sorted */
export async function filesBelow(folder: string): Promise<readonly string[]> {
	const names: string[] = [];
	for await (const name of new Bun.Glob("**/*").scan({ cwd: folder, onlyFiles: true })) if (!isSkipped(name)) names.push(name);
	return names.toSorted();
}
