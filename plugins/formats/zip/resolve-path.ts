/** Resolves `../media/a.xml` in `ppt/slides/` to `ppt/media/a.xml`. These are names within an archive, never paths on a disk. */
export function resolvePath(folder: string, target: string): string {
	const path: string[] = [];
	for (const segment of (target.startsWith("/") ? target : folder + target).split("/")) {
		if (segment === "..") path.pop();
		else if (segment !== "" && segment !== ".") path.push(segment);
	}
	return path.join("/");
}
