/** Posts that one has at a time: who leads, owns or answers for something. There the thing stays and the person changes. */

import { pointedWords, tellingWords } from "./telling-words.ts";

export interface Holding {
	/** The post: the verb and the thing. */
	readonly post: string;
	readonly thing: string;
	readonly holder: string;
}

const active: readonly (readonly [post: string, words: RegExp])[] = [
	["lead", /^(.+?) (?:now |currently )?(?:leads|heads|runs|manages|coordinates) (the .+|project .+)$/],
	["own", /^(.+?) (?:now |currently )?owns (the .+)$/],
	["maintain", /^(.+?) (?:now |currently )?(?:maintains|looks after|handles|takes care of) (the .+)$/],
	["answer for", /^(.+?) is (?:now |currently )?(?:responsible for|in charge of) (.+)$/],
	["take over", /^(.+?) (?:will take|takes|took) over (.+)$/],
	[
		"office",
		/^(.+?) is (?:now )?the (?:new )?((?:keeper|head|leader|chair(?:man|woman|person)?|president|director|captain|mayor|owner|manager|treasurer|secretary|editor|maintainer|administrator|principal|organi[sz]er|caretaker|supervisor|coach|conductor) of .+)$/,
	],
	["post", /^(.+?) (?:is (?:now )?|became |was elected )(?:the )?((?:treasurer|chair|president|director|captain|mayor|ceo|cto|head of .+|chair of .+))$/],
];
const passive: readonly (readonly [post: string, words: RegExp])[] = [
	["lead", /^(.+?) is (?:now |currently )?(?:led|headed|run|managed|coordinated) by (.+)$/],
	["own", /^(.+?) is (?:now |currently )?owned by (.+)$/],
	["maintain", /^(.+?) is (?:now |currently )?(?:maintained|handled) by (.+)$/],
];

export function holdingOf(plain: string): Holding | null {
	const bare = plain.replace(/ (?:now|currently|from now on)$/, "");
	for (const [post, words] of active) {
		const [, holder, thing] = words.exec(bare) ?? [];
		if (holder !== undefined && thing !== undefined) return { post, thing, holder };
	}
	for (const [post, words] of passive) {
		const [, thing, holder] = words.exec(bare) ?? [];
		if (holder !== undefined && thing !== undefined) return { post, thing, holder };
	}
	return null;
}

const doing =
	"doing|bringing|handling|running|organi[sz]ing|cooking|making|writing|leading|managing|teaching|hosting|cleaning|looking after|taking care of|responsible for|in charge of";
/** With the duty that somebody else has now. */
const handedOver: readonly RegExp[] = [
	/\b(?:took|taken|takes|taking|take) (?:the |my |our )?(.{2,50}?) (?:off (?!(?:from|for|to|work|the|on|at|in|and|of)\b)\p{L}+|over from)\b/u,
	/\b(?:took|taken|takes|taking) over (?:the |my |our |as )?(.{2,50}?)(?: from\b.*| now\b.*|,.*)?$/,
	new RegExp(`\\b(?:is|are|am) (?:now )?(?:${doing}) (?:the |my |our )?(.{2,50}?) (?:now|instead|from now on|these days)\\b`),
	new RegExp(`\\b(?:is|are|am) now (?:${doing}) (?:the |my |our )?(.{2,50}?)(?:,.*)?$`),
	/\b(?:handed|passed) (?:the |my |our )?(.{2,50}?) (?:over |on )?to\b/,
	/\b(?:i|we) have (?:now )?got (?:the |my |our )?(.{2,40}?) (?:now|from now on)\b/,
];

/** The words for what somebody else has taken over. */
export function takenOverIn(says: string): ReadonlySet<string> {
	const taken = handedOver.map((words) => words.exec(says)?.[1]).find((found) => found !== undefined);
	return new Set(pointedWords(tellingWords(taken ?? "")));
}
