/** Counts the negations of a sentence: words such as "not", and verbs that mean not doing something. An even number of them cancels out. */

const negations = new Set(
	[
		"not no never nothing none nobody neither nor cannot without hardly unable isnt arent wasnt werent dont doesnt didnt wont wouldnt cant couldnt shouldnt havent hasnt hadnt mustnt",
		"nicht kein keine keinen keinem keiner nie niemals ohne",
		"pas jamais aucun aucune sans",
		"nunca jamás sin tampoco",
		"non mai senza",
		"não nunca sem",
		"niet geen nooit zonder",
		"не нет никогда без",
	]
		.join(" ")
		.split(" "),
);
/** All forms of verbs that mean not doing something. */
const negativeVerb =
	/^(?:stop(?:s|ped|ping)?|quit(?:s|ting)?|refus(?:e|es|ed|ing)|avoid(?:s|ed|ing)?|lack(?:s|ed|ing)?|dislik(?:e|es|ed|ing)|hat(?:e|es|ed|ing)|cancel(?:s|led|ed|ling|ing)?|forbid(?:s|den)?|forbade|prohibit(?:s|ed)?|banned)$/;
/** "gave up" is a negation, "gave a talk" is not. */
const givingUp = /\bg[ia]v(?:e|es|ing|en)\s+up\b/g;
/** Phrases that say that something has ended. They count as one negation. */
const noLonger = /\b(?:no longer|not any ?more|nicht mehr|ne plus|ya no|non più|niet meer)\b/g;

export function countNegations(text: string): number {
	const plain = text
		.toLowerCase()
		.replaceAll(/['’]/g, "")
		.replaceAll(noLonger, " not ")
		.replaceAll(givingUp, " not ")
		.replaceAll(/\bno\s+(?:one|problem|matter|doubt)\b/g, (found) => (found.startsWith("no one") ? " nobody " : " "));
	const words = plain.match(/[\p{L}\p{M}]+/gu) ?? [];
	return words.filter((word) => negations.has(word) || negativeVerb.test(word)).length;
}
