/** Headers, footers and the texts of layouts and masters, each once for the whole presentation. */

import { attributeOf, elementAt, elementsOf, type XmlElement } from "../../xml/xml-element.ts";
import { placeholderOf } from "./placeholders.ts";
import { flat, type SlideWalk, shapesIn, typeOf } from "./slide.ts";
import { linesOf } from "./slide-lines.ts";

export interface RunningHeads {
	readonly note: (slide: XmlElement, walk: SlideWalk) => void;
	readonly words: () => readonly string[];
}

const heads = new Set(["ftr", "hdr"]);

export function collectRunningHeads(): RunningHeads {
	const said = new Set<string>();
	const known = new Set<XmlElement>();
	const say = (shapes: readonly XmlElement[], { relations }: SlideWalk) => {
		for (const shape of shapes) {
			const words = flat(linesOf(elementAt(shape, "txBody"), relations, [])).trim();
			// Mere numbers and placeholder texts are left out.
			if (/\p{L}/u.test(words) && !/^[‹<].*[›>]$/.test(words)) said.add(words);
		}
	};
	return {
		note(slide, walk) {
			say(
				shapesOf(slide).filter((shape) => heads.has(typeOf(shape))),
				walk,
			);
			let isShown = showsGround(slide);
			for (const ground of walk.placeholders.grounds) {
				if (ground === null || !isShown) return;
				isShown = showsGround(ground);
				if (known.has(ground)) continue;
				known.add(ground);
				say(
					shapesOf(ground).filter((shape) => placeholderOf(shape) === null),
					walk,
				);
			}
		},
		words: () => [...said],
	};
}

function shapesOf(root: XmlElement): readonly XmlElement[] {
	return elementsOf(elementAt(root, "cSld", "spTree")).flatMap(shapesIn);
}

/** A slide may hide what its master shows, and so may a layout. */
function showsGround(root: XmlElement): boolean {
	return !/^(?:0|false)$/.test(attributeOf(root, "showMasterSp") ?? "1");
}
