/** Work in steps that leave files behind: what is there already, made with the same settings, is not made again. */

import { mkdir } from "node:fs/promises";

export interface Phase {
	readonly name: string;
	/** All that its files depend on; other values, and it runs again. */
	readonly from: unknown;
	readonly run: () => Promise<void>;
}

/** Whether a phase ran is known by a file that is written last. A phase that runs makes those after it run too. */
export async function runPhases(folder: string, phases: readonly Phase[], log: (line: string) => void): Promise<void> {
	await mkdir(folder, { recursive: true });
	let before = "";
	for (const { name, from, run } of phases) {
		before = new Bun.CryptoHasher("sha256").update(`${before}${name}${JSON.stringify(from)}`).digest("hex");
		const mark = Bun.file(`${folder}/${name}.done`);
		if ((await mark.exists()) && (await mark.text()) === before) {
			log(`${name}: is done`);
			continue;
		}
		const began = performance.now();
		await run();
		await Bun.write(mark, before);
		log(`${name}: took ${((performance.now() - began) / 1_000).toFixed(1)} s`);
	}
}
