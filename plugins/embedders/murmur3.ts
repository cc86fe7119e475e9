/** MurmurHash3 (32 bits) over UTF-16 code units. The result is the same on every machine. */

export function murmur3(text: string, seed = 0x9747b28c): number {
	let hash = seed;
	for (let i = 0; i < text.length; i++) {
		let block = Math.imul(text.charCodeAt(i), 0xcc9e2d51);
		block = Math.imul((block << 15) | (block >>> 17), 0x1b873593);
		hash ^= block;
		hash = Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64;
	}
	hash ^= text.length;
	hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
	hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
	return (hash ^ (hash >>> 16)) >>> 0;
}
