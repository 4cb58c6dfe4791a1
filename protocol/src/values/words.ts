/** A text for a person, in Portuguese and in English. */
export interface Words {
  pt: string;
  en: string;
}
