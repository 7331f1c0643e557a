declare const text: string;
export default text;
