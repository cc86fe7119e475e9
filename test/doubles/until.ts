/** Waits for a state instead of for a time: a slow machine only makes it take longer. */

const patienceMs = 90_000;
const lookMs = 5;

/** Looks again and again, and answers the first thing seen that is neither false nor null nor undefined. */
export async function until<Seen>(look: () => Seen | Promise<Seen>): Promise<Exclude<Seen, false | null | undefined>> {
	for (const end = performance.now() + patienceMs; ; await Bun.sleep(lookMs)) {
		const seen = await look();
		if (seen !== false && seen !== null && seen !== undefined) return seen as Exclude<Seen, false | null | undefined>;
		if (performance.now() > end) throw new Error(`waited ${patienceMs} ms in vain for ${look}`);
	}
}
