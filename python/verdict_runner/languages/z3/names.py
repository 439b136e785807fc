"""The Z3 names available to a model without an import, apart from Z3's constants, whose names begin with `Z3_`.

A test compares this list with the engine's names.
"""

NAMES = frozenset(
    """
    Abs AlgebraicNumRef AllChar And AndThen ApplyResult ArithRef ArithSortRef Array ArrayRef ArraySort ArraySortRef
    AsArray AstMap AstRef AstVector AtLeast AtMost BV2Int BVAddNoOverflow BVAddNoUnderflow BVMulNoOverflow
    BVMulNoUnderflow BVRedAnd BVRedOr BVSDivNoOverflow BVSNegNoOverflow BVSubNoOverflow BVSubNoUnderflow BitVec
    BitVecNumRef BitVecRef BitVecSort BitVecSortRef BitVecVal BitVecs Bool BoolRef BoolSort BoolSortRef BoolVal
    BoolVector Bools BvNand BvNor BvXnor Cbrt CharFromBv CharIsDigit CharRef CharSort CharSortRef CharToBv CharToInt
    CharVal CheckSatResult Complement Complex ComplexRef ComplexSort ComplexSortRef ComplexVal Complexes Concat Cond
    Const Consts Contains CreateDatatypes CreatePolymorphicDatatype Datatype DatatypeRef DatatypeSort DatatypeSortRef
    DeclareSort DeclareTypeVar Default Diff DisjointSum Distinct Empty EmptySet EnumSort Exists ExprRef Ext Extract FP
    FPNumRef FPRMRef FPRMSortRef FPRef FPSort FPSortRef FPVal FPs FailIf FiniteDomainNumRef FiniteDomainRef
    FiniteDomainSort FiniteDomainSortRef FiniteDomainVal FiniteFieldBitsum FiniteFieldElem FiniteFieldElems
    FiniteFieldRef FiniteFieldSort FiniteFieldSortRef FiniteFieldVal FiniteSetDifference FiniteSetEmpty FiniteSetFilter
    FiniteSetIntersect FiniteSetMap FiniteSetMember FiniteSetRange FiniteSetRef FiniteSetSize FiniteSetSort
    FiniteSetSortRef FiniteSetSubset FiniteSetUnion Float128 Float16 Float32 Float64 FloatDouble FloatHalf
    FloatQuadruple FloatSingle ForAll Fraction FreshBool FreshConst FreshFunction FreshInt FreshReal Full FullSet
    FuncDeclRef FuncEntry FuncInterp Function Goal If ImagPart Implies In InRe IndexOf Int Int2BV IntNumRef IntSort
    IntToStr IntVal IntVector Intersect Ints IsInt IsMember IsSubset K LShR Lambda LastIndexOf Length LinearOrder Loop
    Map Model ModelRef MultiPattern Not Optimize OptimizeObjective Option Or OrElse ParAndThen ParOr ParThen
    ParamDescrsRef ParamsRef ParserContext PartialOrder PatternRef PbEq PbGe PbLe PiecewiseLinearOrder Plus PrefixOf
    Probe Product PropagateFunction Q QuantifierRef RNA RNE RTN RTP RTZ Range RatNumRef RatVal Re ReRef ReSort ReSortRef
    Real RealPart RealSort RealVal RealVar RealVarVector RealVector Reals RecAddDefinition RecFunction Repeat
    RepeatBitVec Replace RotateLeft RotateRight RoundNearestTiesToAway RoundNearestTiesToEven RoundTowardNegative
    RoundTowardPositive RoundTowardZero SRem ScopedConstructor ScopedConstructorList Select SeqFoldLeft SeqFoldLeftI
    SeqMap SeqMapI SeqPower SeqRef SeqSort SeqSortRef SetAdd SetComplement SetDel SetDifference SetIntersect SetSort
    SetUnion SignExt SimpleSolver Simplifier Singleton Solver SolverFor SortRef Sqrt Star Statistics Store StrFromCode
    StrToCode StrToInt String StringSort StringVal Strings SubSeq SubString SuffixOf Sum Tactic Then ToInt ToReal
    TransitiveClosure TreeOrder TryFor TupleSort TypeVarRef UDiv UGE UGT ULE ULT URem Union Unit Update Var When With
    WithParams Xor Z3Exception Z3PPObject ZeroExt describe_probes describe_tactics eq fpAbs fpAdd fpBVToFP fpDiv fpEQ
    fpFMA fpFP fpFPToFP fpGEQ fpGT fpInfinity fpIsInf fpIsNaN fpIsNegative fpIsNormal fpIsPositive fpIsSubnormal
    fpIsZero fpLEQ fpLT fpMax fpMin fpMinusInfinity fpMinusZero fpMul fpNEQ fpNaN fpNeg fpPlusInfinity fpPlusZero
    fpRealToFP fpRem fpRoundToIntegral fpSignedToFP fpSqrt fpSub fpToFP fpToFPUnsigned fpToIEEEBV fpToReal fpToSBV
    fpToUBV fpUnsignedToFP fpZero get_as_array_func get_default_fp_sort get_default_rounding_mode get_full_version
    get_map_func get_param get_var_index get_version get_version_string help_simplify is_K is_add is_algebraic_value
    is_and is_app is_app_of is_arith is_arith_sort is_array is_array_sort is_as_array is_ast is_bool is_bv is_bv_sort
    is_bv_value is_complex is_complex_sort is_const is_const_array is_default is_distinct is_div is_eq is_expr is_false
    is_finite_domain is_finite_domain_sort is_finite_domain_value is_finite_set is_finite_set_sort is_fp is_fp_sort
    is_fp_value is_fprm is_fprm_sort is_fprm_value is_func_decl is_ge is_gt is_idiv is_implies is_int is_int_value
    is_is_int is_le is_lt is_map is_mod is_mul is_not is_or is_pattern is_probe is_quantifier is_rational_value is_re
    is_real is_select is_seq is_sort is_store is_string is_string_value is_sub is_to_int is_to_real is_true is_var
    mk_not num_simplifiers parse_smt2_string probe_description probes prove reset_params sat set_default_fp_sort
    set_default_rounding_mode set_option set_param simplifier_description simplifier_name simplify simplify_param_descrs
    solve solve_using substitute substitute_funs substitute_vars tactic_description tactics to_symbol unknown unsat
    """.split()
)
