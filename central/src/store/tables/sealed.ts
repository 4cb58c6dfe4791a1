/** A ciphertext as it is stored, with the id of the master key that opens it. */
export interface Sealed {
  keyId: string;
  ciphertext: string;
}
