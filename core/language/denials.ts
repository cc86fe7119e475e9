/** How often a sentence says no: by a small word, or by a verb that means not doing something. Two of them cancel out. */

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
const refusing =
	/^(?:stop(?:s|ped|ping)?|quit(?:s|ting)?|refus(?:e|es|ed|ing)|avoid(?:s|ed|ing)?|lack(?:s|ed|ing)?|dislik(?:e|es|ed|ing)|hat(?:e|es|ed|ing)|cancel(?:s|led|ed|ling|ing)?|forbid(?:s|den)?|forbade|prohibit(?:s|ed)?|banned)$/;
/** "gave up" says no, "gave a talk" does not. */
const givingUp = /\bg[ia]v(?:e|es|ing|en)\s+up\b/g;
/** Says that it was so until now. */
const noLonger = /\b(?:no longer|not any ?more|nicht mehr|ne plus|ya no|non più|niet meer)\b/g;

export function denials(text: string): number {
	const plain = text
		.toLowerCase()
		.replaceAll(/['’]/g, "")
		.replaceAll(noLonger, " not ")
		.replaceAll(givingUp, " not ")
		.replaceAll(/\bno\s+(?:one|problem|matter|doubt)\b/g, (found) => (found.startsWith("no one") ? " nobody " : " "));
	const words = plain.match(/[\p{L}\p{M}]+/gu) ?? [];
	return words.filter((word) => negations.has(word) || refusing.test(word)).length;
}
