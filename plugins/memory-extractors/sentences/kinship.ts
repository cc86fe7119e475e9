/** Words for people by their relation to a person, and which pronoun refers to them. */

export type Pronoun = "he" | "she";

const male =
	"father dad daddy papa brother son husband grandfather grandpa grandad uncle nephew boyfriend stepfather stepbrother stepson godfather widower fiancé";
const female =
	"mother mum mom mama sister daughter wife grandmother grandma granny aunt niece girlfriend stepmother stepsister stepdaughter godmother widow fiancée";
const either =
	"cousin partner spouse child kid baby twin grandchild parent friend flatmate roommate housemate colleague coworker boss manager supervisor landlord landlady neighbour neighbor teacher doctor dentist coach assistant therapist accountant lawyer client student mentor ex dog cat puppy kitten parrot horse pet";

const words = (list: string, pronoun: Pronoun | null) => list.split(" ").map((word): readonly [string, Pronoun | null] => [word, pronoun]);
const pronouns: ReadonlyMap<string, Pronoun | null> = new Map([...words(male, "he"), ...words(female, "she"), ...words(either, null)]);

/** Any of the words, with `in-law` and the like, for use inside a pattern. */
export const kin = `(?:${[...pronouns.keys()].join("|")})(?:-in-law)?`;

/** The pronoun that fits; null when both may. */
export function pronounOf(word: string): Pronoun | null {
	return pronouns.get(word.toLowerCase().replace("-in-law", "")) ?? null;
}
