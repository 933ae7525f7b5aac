
@dPhÂwlan0H ÑÒ=08
@(PÂwlan0H ’N
@2Pú


com.a‘N


com.b’N
@<PÂwlan0H ’N