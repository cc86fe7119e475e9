/** Which file lies at which path of a folder that is followed: the state of the connection has paths by id, Dropbox tells deletions by path. */

export class PathTree {
	readonly #ids = new Map<string, string>();
	/** Everything above a path that was ever added, so that looking for what is below a path is seldom needed. */
	readonly #folders = new Set<string>();

	/** @param items paths by id */
	constructor(items: ReadonlyMap<string, string>) {
		for (const [id, path] of items) this.add(path, id);
	}

	add(path: string, id: string): void {
		this.#ids.set(path, id);
		for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
			const folder = path.slice(0, end);
			if (this.#folders.has(folder)) break;
			this.#folders.add(folder);
		}
	}

	/** Forgets a file that has left a path, unless another one is there by now. */
	leave(path: string, id: string): void {
		if (this.#ids.get(path) === id) this.#ids.delete(path);
	}

	/** Forgets the file at a path. @returns its id, if there is one */
	takeAt(path: string): readonly string[] {
		const id = this.#ids.get(path);
		this.#ids.delete(path);
		return id === undefined ? [] : [id];
	}

	/** The same with all that is below the path. */
	takeAll(path: string): readonly string[] {
		const below = this.#folders.has(path) ? [...this.#ids.keys()].filter((other) => other.startsWith(`${path}/`)) : [];
		return [path, ...below].flatMap((each) => this.takeAt(each));
	}
}
